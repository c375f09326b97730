/// What a request costs a daemon, and how that compares with another.
///
/// ```
///   CompareCommand ──► Comparison ──► Contender, for each daemon       in turns
///          │                             ├──► DaemonProcess            and what it has used so far
///          ▼                             └──► RepeatingGuest ► Pump    keeps so many in the ring
///   ComparisonTable                                ▲
///                                                Load                  what is repeated
/// ```
///
/// The guest is as cheap as can be: its requests lie ready and are offered again and again. What
/// it measures of a daemon is seen from outside (`/proc`), so any daemon can be measured. After a
/// build our own daemon gets to know that guest ([Rehearsal]), and the JVM keeps what it learns.
///
/// It says nothing about how long a program in a real guest waits: that has a kernel of its own,
/// caches, and interrupts.
package vitrine.guest.compare;
