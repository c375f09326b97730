/// The FUSE protocol as data, the same for both ends, and the contract of a file system.
///
/// ```
///   guest                                                       daemon
///
///   FileRequest.Write  ── encode() ──▶  InHeader   40 bytes  ──▶  FuseRequest.decode()
///     header, in, data                  WriteIn    40 bytes           │ an equal FileRequest.Write
///                                       data, where it lies           ▼
///                                                               FileSystem.answer()
///                                                                     │ Reply.Struct
///   WriteOut.decode()  ◀──────────────  OutHeader  16 bytes           ▼
///                                       WriteOut    8 bytes  ◀──  encode()
/// ```
///
/// A [vitrine.fuse.FuseRequest] is one immutable value. Its records are sorted into families, a
/// file each, in the order of their opcodes, and what a record holds are the structs of `fuse.h`
/// ([vitrine.fuse.struct]) and their words of flags ([vitrine.fuse.flag]). Nothing a guest can send
/// makes decoding throw anything but [vitrine.wire.MalformedException]: lengths and counts are
/// compared with what is there before they are used, and each word is read once.
///
/// This package decides nothing. Whether a name may contain a slash, whether a handle is one, what
/// INIT agrees to and what an errno becomes are questions for those who answer requests. Protocol
/// versions before 7.27 and guests of the other byte order are not spoken.
package vitrine.fuse;
