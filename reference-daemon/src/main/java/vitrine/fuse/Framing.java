package vitrine.fuse;

import vitrine.fuse.struct.InHeader;

/// How a request keeps its header true to what follows it.
final class Framing {

    private Framing() {}

    /// The header, beginning a request of `bodySize` bytes after it.
    static InHeader framed(InHeader header, Opcode opcode, long bodySize) {
        return header.framing(opcode.number(), bodySize, 0);
    }

    /// The header, beginning a request of `bodySize` bytes after it and extensions behind them.
    static InHeader framed(InHeader header, Opcode opcode, long bodySize, Extensions extensions) {
        int extensionsSize = extensions.sizeInBytes();
        return header.framing(opcode.number(), bodySize + extensionsSize, extensionsSize);
    }
}
