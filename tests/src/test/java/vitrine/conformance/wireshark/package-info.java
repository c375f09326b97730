/// Captures in Wireshark: what the dissector makes of them, asked of tshark.
///
/// ```
///   requests of every kind ─┐
///   the stepped machine ────┼──► capture ──► tshark + vitrine.lua ──► fields, filters
///   a real Linux guest ─────┘
/// ```
package vitrine.conformance.wireshark;
