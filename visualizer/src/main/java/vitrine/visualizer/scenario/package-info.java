/// Runs that anybody can repeat: a program in the simulated guest, the daemon's own file system,
/// and a clock that a table drives.
///
/// ```
///   Gallery ──► Scenario ──► ScenarioRun ──► Run
///                                │ Reproducible   the host's numbers, replaced
///                                │ HostNames      descriptors and folders, renamed
///                                ├ VirtualTime    what each event takes in the model
///                                ├ Intruder       what goes another way, from a step on
///                                └ Onlooker       what lies on the host after each event
///   Link: vitrine:killpriv-off@first-getxattr?view=rings
/// ```
///
/// Each event is one that happened in this run: requests, ring, decisions, system calls of the
/// host. Only what differs from host to host by accident is replaced, and times are the model's,
/// which every picture says. A scenario does *not* talk to a daemon of somebody else.
package vitrine.visualizer.scenario;
