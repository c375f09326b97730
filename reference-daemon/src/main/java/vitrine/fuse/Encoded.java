package vitrine.fuse;

import vitrine.wire.Buffers;

/// The readable side of a request, in the pieces in which Linux hands it to the device.
///
/// Linux gives the header a descriptor, all arguments together another, and every page of data one
/// of its own. Only FORGET has its header and argument in one piece.
///
/// @param header the 40 bytes of `fuse_in_header`, its `len` counting all three
/// @param args structs, names, values and extensions, in their order; empty if there are none
/// @param data the file data of a WRITE where it lies; empty for all others
public record Encoded(byte[] header, byte[] args, Buffers data) {

    /// All pieces as one sequence.
    public Buffers all() {
        return Buffers.ofBytes(header).followedBy(Buffers.ofBytes(args)).followedBy(data);
    }
}
