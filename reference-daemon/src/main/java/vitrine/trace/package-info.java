/// What happened, as data: events, and the file that keeps them.
///
/// ```
///   taps ── TraceEvent ──▶ Trace ──▶ TraceList ───────────────────┬─▶ RequestStories
///                            ├─────▶ CaptureWriter ─▶ FILE ─▶ CaptureReader ─┘
///                            └─────▶ CaptureServer ─▶ a CaptureWriter for each who connects
/// ```
///
/// A [vitrine.trace.TraceEvent] is one of a closed set of records. Each carries a
/// [vitrine.trace.Stamp]: time, actor, thread, and the [vitrine.trace.Keys] that join it to other
/// events about the same request. This package depends on nothing, and nothing that serves a guest
/// depends on it: events are made by the decorators of `vitrine.tap` and by the guest's model.
/// It does *not* decide what is worth an event, and it does not draw.
///
/// ## The capture file
///
/// A pcapng file, because the tools for it exist (`tshark -r FILE`). One section:
///
/// | block | how many | content |
/// |---|---|---|
/// | section header | 1 | comment `vitrine capture 1` (the version); others `key=value` |
/// | interface description | one an actor | link type 147, `if_name`, `if_tsresol` 9 |
/// | enhanced packet | one an event | the actor's interface, the stamp's time, the event |
/// | interface statistics | 1, at the end | events seen and dropped; missing if killed |
///
/// Interfaces are numbered as [vitrine.trace.Actor] orders its constants, and have their titles.
///
/// The data of a packet is a byte, the *tag*, and fields until its end. A field is a byte, its
/// *kind*, and a value; numbers are little endian. So a dissector can walk events it does not know.
///
/// | kind | value |
/// |---|---|
/// | 1 integer | 8 bytes, signed |
/// | 2 text | length (4 bytes), that many bytes of UTF-8; an enum constant is its name |
/// | 3 bytes | length (4 bytes), that many bytes |
/// | 4 list | how many fields follow that belong to the list (4 bytes) |
///
/// Each event begins with the fields of its stamp: nanoseconds, actor (text), thread (text), queue,
/// head, unique, number of the guest's system call. Then, by tag, the components of the record in
/// the order in which they are declared; a nested record is its components, a list its elements':
///
/// | tag | record | fields after the stamp |
/// |---|---|---|
/// | 1 | `GuestCallEntered` | name, arguments |
/// | 2 | `GuestCallReturned` | name, result, errno |
/// | 3 | `GuestDecision` | rule, outcome, list of (name, value) |
/// | 4 | `RequestQueued` | opcode, indirect (0 or 1), list of (length, writable) |
/// | 5 | `RingAccess` | access, area, offset, value |
/// | 6 | `Notified` | signal |
/// | 7 | `ChainPopped` | readable, writable, descriptors |
/// | 8 | `ChainRefused` | why |
/// | 9 | `ChainPushed` | written |
/// | 10 | `RequestDecoded` | opcode, nodeid, uid, gid, pid, list of (name, value), raw bytes |
/// | 11 | `ReplyGiven` | error, payload, list of (name, value), raw bytes |
/// | 12 | `HostCall` | name, arguments, result, errno, duration in nanoseconds |
/// | 13 | `ControlMessage` | direction, name, summary |
/// | 14 | `Dropped` | how many events are missing here |
package vitrine.trace;
