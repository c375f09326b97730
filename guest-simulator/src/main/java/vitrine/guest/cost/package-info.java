/// What work costs: counted from a trace, and turned into time that does not depend on the machine.
///
/// ```
///   trace ──► Ledger ──► Entry, for each request    counts, exact on every machine
///                │
///   CostTable ───┴─────► VirtualTime                microseconds, of a machine on paper
/// ```
///
/// Virtual time is a model and is always called so. The same entries and the same table make the
/// same time, to the nanosecond.
///
/// It does not measure: see [vitrine.guest.workload] for that, and [vitrine.guest.compare].
package vitrine.guest.cost;
