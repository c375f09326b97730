/// The demo: a program in the guest writes into a set-user-ID file, and two runs are told side by
/// side.
///
/// ```
///  DemoCommand ──► DemoRun, twice     a daemon, a machine, a program, and all that was seen
///        └───────► DemoStory          both runs as text
/// ```
///
/// Nothing in the story is written down beforehand but its words: requests, descriptors, system
/// calls, modes and counts are those of the run.
package vitrine.guest.demo;
