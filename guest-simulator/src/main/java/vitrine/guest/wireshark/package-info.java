/// Captures in Wireshark: `./vitrine wireshark` and the dissector that it installs.
///
/// ```
///   Opcode, FuseRequest, LAYOUT, Flag, Errno ──► ProtocolTables ─┐
///   TraceEvent ─────────────────────────────────► EventTables ───┼──► Dissector ──► vitrine.lua
///   dissector.lua, written by hand ──────────────────────────────┘        ▲
///                                                    WiresharkCommand ────┘
/// ```
///
/// The script that Wireshark loads is tables and a program. The tables are made from the classes
/// that the daemon itself decodes with, so they cannot say anything else than those. The program,
/// a resource of this package, walks a packet by the tables and knows no struct by name.
///
/// It does not read captures: `vitrine.trace` does that.
package vitrine.guest.wireshark;
