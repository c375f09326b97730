/// Whether we write what the kernel reads.
///
/// ```
///   <linux/fuse.h> ── gcc: sizeof, offsetof ──▶ LayoutTest ◀── LAYOUT of every struct
///                                                                │ by name
///   a random value ── encode ──▶ bytes ──▶ StructPropertiesTest ◀┘
///   a random request ── encode ──▶ cut, truncated, changed ──▶ decode ──▶ RequestPropertiesTest
/// ```
///
/// Two independent checks hold the wire structs together: a C compiler says where the kernel has
/// each field, and a property finds each written field where our layout says. Above them a request
/// must survive every cut of its buffers, and bytes that are no request must be refused. Structs,
/// flags and requests are found by looking into their packages: a new one cannot be forgotten.
///
/// What requests *do* is not tested here.
package vitrine.conformance.wire;
