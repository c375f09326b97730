/// What a request costs the host: in system calls, which can be counted, and in processor time,
/// which can only be compared.
///
/// ```
///   RequestCostTest            counts, and holds them against what there should be
///   CapturedCostTest           the same, as a capture of a real daemon shows it
///   CompareCommandTest         that daemons can be compared; how they compare is for people to see
///         │
///   RepeatingGuest ► Pump      (of vitrine.guest.compare)
/// ```
///
/// Nothing here depends on the speed of the machine.
package vitrine.conformance.cost;
