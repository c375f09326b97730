package vitrine.fuse.struct;

import static vitrine.wire.Layouts.array;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u16;
import static vitrine.wire.Layouts.u32;

import java.lang.foreign.StructLayout;
import vitrine.fuse.flag.InitFlag;
import vitrine.wire.Layouts;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_init_out`: the daemon says which protocol will be spoken and which of the guest's
/// offers it takes.
public record InitOut(
        int major,
        int minor,
        int maxReadahead,
        int flags,
        int maxBackground,
        int congestionThreshold,
        int maxWrite,
        int timeGran,
        int maxPages,
        int mapAlignment,
        int flags2,
        int maxStackDepth,
        int requestTimeout)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_init_out`.
    public static final StructLayout LAYOUT = struct(
            "fuse_init_out",
            u32("major"),
            u32("minor"),
            u32("max_readahead"), // bytes; the smaller of both counts
            u32("flags"), // FUSE_ bits 0 to 31
            u16("max_background"), // 0 leaves the kernel's own 12
            u16("congestion_threshold"), // 0 leaves the kernel's own 9
            u32("max_write"), // bytes in a WRITE
            u32("time_gran"), // nanoseconds between two times that the file system can tell apart
            u16("max_pages"), // pages of data in a request, with MAX_PAGES; the ring may allow fewer
            u16("map_alignment"), // log2 of the alignment of DAX mappings, with MAP_ALIGNMENT
            u32("flags2"), // bits 32 to 63, if INIT_EXT is among the flags
            u32("max_stack_depth"), // since 7.40, with PASSTHROUGH
            u16("request_timeout"), // seconds; since 7.43, with REQUEST_TIMEOUT
            array("unused", 11, Layouts.U16));

    /// Reads it, each field once.
    public static InitOut decode(WireReader in) throws MalformedException {
        InitOut value = new InitOut(
                in.u32(), in.u32(), in.u32(), in.u32(), in.u16(), in.u16(), in.u32(), in.u32(), in.u16(), in.u16(),
                in.u32(), in.u32(), in.u16());
        in.skip(22); // unused
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(major);
        out.u32(minor);
        out.u32(maxReadahead);
        out.u32(flags);
        out.u16(maxBackground);
        out.u16(congestionThreshold);
        out.u32(maxWrite);
        out.u32(timeGran);
        out.u16(maxPages);
        out.u16(mapAlignment);
        out.u32(flags2);
        out.u32(maxStackDepth);
        out.u16(requestTimeout);
        out.zeros(22);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// Both words of flags as one, to be asked for [InitFlag]s: the second word counts only if the
    /// first contains [InitFlag#INIT_EXT].
    public long allFlags() {
        long low = Integer.toUnsignedLong(flags);
        return InitFlag.INIT_EXT.in(low) ? low | (long) flags2 << 32 : low;
    }

    @Override
    public String toString() {
        return "InitOut[major=" + major
                + ", minor=" + minor
                + ", maxReadahead=" + maxReadahead
                + ", maxBackground=" + maxBackground
                + ", congestionThreshold=" + congestionThreshold
                + ", maxWrite=" + maxWrite
                + ", timeGran=" + timeGran
                + ", maxPages=" + maxPages
                + ", mapAlignment=" + mapAlignment
                + ", maxStackDepth=" + maxStackDepth
                + ", requestTimeout=" + requestTimeout
                + ", flags=" + InitFlag.describe(allFlags()) + "]";
    }
}
