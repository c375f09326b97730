package vitrine.guest.frontend;

import java.util.List;

/// Where the guest sees memory.
///
/// @param ranges in order of address, not overlapping
public record RamLayout(List<Range> ranges) {

    /// A piece without holes.
    ///
    /// @param start guest address of the first byte; a multiple of the page size
    /// @param size bytes; a multiple of the page size
    public record Range(long start, long size) {

        /// Guest address after the last byte.
        public long end() {
            return start + size;
        }
    }

    private static final long LEGACY_START = 0xa0000; // where a PC has its video memory,
    private static final long LEGACY_END = 0xc0000; // and these are the bytes after it

    /// An unchangeable list.
    public RamLayout {
        ranges = List.copyOf(ranges);
    }

    /// One piece from address 0 on.
    public static RamLayout onePiece(long bytes) {
        return new RamLayout(List.of(new Range(0, bytes)));
    }

    /// As QEMU lays out a small q35 machine: a hole where a PC has its video memory.
    public static RamLayout q35(long bytes) {
        return new RamLayout(List.of(new Range(0, LEGACY_START), new Range(LEGACY_END, bytes - LEGACY_END)));
    }

    /// Guest address after the last byte.
    public long end() {
        return ranges.getLast().end();
    }
}
