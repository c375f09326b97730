package vitrine.guest.driver;

import java.util.List;

/// A piece of guest memory, as the driver names it to the device.
///
/// @param address guest address of the first byte
/// @param length bytes, 0 to 2^32 - 1
public record GuestRange(long address, long length) {

    /// Checks that the length fits into a descriptor.
    public GuestRange {
        if (length < 0 || length > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException(length + " bytes in one descriptor");
        }
    }

    /// How many bytes these are together.
    static long total(List<GuestRange> ranges) {
        long total = 0;
        for (GuestRange range : ranges) {
            total += range.length();
        }
        return total;
    }
}
