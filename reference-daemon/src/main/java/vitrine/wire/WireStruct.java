package vitrine.wire;

import java.lang.foreign.StructLayout;

/// A struct of a C header as an immutable value: read once, written once, never looked at in place.
///
/// Every implementation is a record with the same four parts in the same order: what it is,
/// `LAYOUT`, `decode`, `encode`.
public interface WireStruct {

    /// Where each field lies, by its C name; the layout itself is named like the C struct.
    StructLayout layout();

    /// Writes the value, padding included, in the order of the layout.
    void encode(WireWriter out);

    /// How many bytes [#encode] writes. The layout's size, except where bytes of a variable number
    /// follow the struct.
    default int sizeInBytes() {
        return (int) layout().byteSize();
    }
}
