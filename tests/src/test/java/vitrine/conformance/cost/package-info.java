/// What a request costs the host: in system calls, which can be counted, and in processor time,
/// which can only be compared.
///
/// ```
///   RequestCostTest        counts, and holds them against what there should be
///   DaemonComparison       a program: two daemons, the same requests, in turns; prints ratios
///         │
///   CostGuest ► Pump       a guest that keeps so many requests in the ring, and no more
/// ```
///
/// Nothing here depends on the speed of the machine but what the program prints.
package vitrine.conformance.cost;
