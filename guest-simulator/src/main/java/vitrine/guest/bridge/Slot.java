package vitrine.guest.bridge;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.OutHeader;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.driver.GuestPages;
import vitrine.guest.driver.GuestRange;
import vitrine.wire.Buffers;

/// Guest memory for one request under way: where Linux puts it, and where the reply goes.
///
/// ```
///                40        40      page    page  …
///   request  [ header │ WriteIn ][ data │      …      ]   other requests go on from args into data
///   reply           [ OutHeader ][ data │      …      ]
///                         16
/// ```
///
/// Each part is one piece of memory in which the data begins with a page. So Linux writes and reads
/// it in one go, and yet the device gets whole pages, as a virtio-fs driver hands them over.
final class Slot {

    /// The most data of a request or reply: Linux asks for no more than 256 pages.
    static final int MOST_DATA = 1 << 20;

    private static final int HEADER = (int) InHeader.LAYOUT.byteSize();
    private static final long UNIQUE = InHeader.LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("unique"));
    private static final int HEADER_AND_WRITE = HEADER + (int) WriteIn.LAYOUT.byteSize();
    private static final int REPLY_HEADER = (int) OutHeader.LAYOUT.byteSize();
    private static final int PART = GuestPages.PAGE + MOST_DATA;

    /// Guest memory that a slot takes.
    static final int BYTES = 2 * PART;

    private final long address;
    private final MemorySegment memory;
    private FuseRequest request; // what is under way; belongs to who has the slot

    /// @param address of [#BYTES] bytes of guest memory, at the start of a page
    /// @param memory the same bytes for us
    Slot(long address, MemorySegment memory) {
        this.address = address;
        this.memory = memory;
    }

    FuseRequest request() {
        return request;
    }

    void setRequest(FuseRequest request) {
        this.request = request;
    }

    /// Where Linux puts a request.
    MemorySegment incoming() {
        int start = GuestPages.PAGE - HEADER_AND_WRITE;
        return memory.asSlice(start, HEADER_AND_WRITE + MOST_DATA);
    }

    /// The number of the request that lies there, whatever else it is.
    long unique() {
        return incoming().get(ValueLayout.JAVA_LONG_UNALIGNED, UNIQUE);
    }

    /// All the room that there is for a reply.
    MemorySegment outgoing() {
        return memory.asSlice(PART + GuestPages.PAGE - REPLY_HEADER, REPLY_HEADER + MOST_DATA);
    }

    /// A request's bytes as a driver describes them: the header, all arguments, each page of data.
    ///
    /// @param length of the request in [#incoming]
    List<GuestRange> readable(long length) {
        long start = address + GuestPages.PAGE - HEADER_AND_WRITE;
        long data = request.data().size();
        List<GuestRange> ranges = new ArrayList<>();
        ranges.add(new GuestRange(start, Math.min(HEADER, length)));
        if (length - data > HEADER) {
            ranges.add(new GuestRange(start + HEADER, length - data - HEADER));
        }
        addPages(ranges, start + length - data, data);
        return ranges;
    }

    /// The room for a reply as a driver describes it: the header, then the struct or each page.
    List<GuestRange> writable(ReplyRoom room) {
        long data = address + PART + GuestPages.PAGE;
        List<GuestRange> ranges = new ArrayList<>();
        ranges.add(new GuestRange(data - REPLY_HEADER, REPLY_HEADER));
        if (room.inPages()) {
            addPages(ranges, data, room.bytes());
        } else if (room.bytes() > 0) {
            ranges.add(new GuestRange(data, room.bytes()));
        }
        return ranges;
    }

    /// The reply as it lies there.
    ///
    /// @param length of the whole, the header included
    Buffers reply(long length) {
        return Buffers.of(outgoing().asSlice(0, length));
    }

    private static void addPages(List<GuestRange> ranges, long start, long length) {
        for (long at = 0; at < length; at += GuestPages.PAGE) {
            ranges.add(new GuestRange(start + at, Math.min(GuestPages.PAGE, length - at)));
        }
    }
}
