package vitrine.vhostuser.message;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;
import vitrine.memory.GuestMemory.Region;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// What follows a header. Over twenty messages and their answers share these few forms
/// (vhost-user: "Payload types"). Numbers are in the host's order, which is little-endian here.
public sealed interface Payload extends WireStruct
        permits Payload.Nothing,
                Payload.Number,
                Payload.RingState,
                Payload.RingAddresses,
                Payload.RegionTable,
                Payload.OneRegion,
                Payload.Config,
                WindowPayload,
                MigrationPayload {

    /// No payload: the header says it all.
    record Nothing() implements Payload {
        private static final StructLayout LAYOUT = struct("vhost_user_nothing");

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            // there is nothing to write
        }
    }

    /// One number: feature bits, a count, an acknowledgement, a ring's index with flags.
    record Number(long value) implements Payload {
        private static final StructLayout LAYOUT = struct("vhost_user_u64", u64("value"));

        /// Reads a number.
        public static Number decode(WireReader in) throws MalformedException {
            return new Number(in.u64());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u64(value);
        }
    }

    /// `struct vhost_vring_state`: one number about one ring.
    ///
    /// @param index the ring
    /// @param num its size, its available index, or whether it is enabled
    record RingState(int index, int num) implements Payload {
        private static final StructLayout LAYOUT = struct("vhost_vring_state", u32("index"), u32("num"));

        /// Reads a ring's state.
        public static RingState decode(WireReader in) throws MalformedException {
            return new RingState(in.u32(), in.u32());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(index);
            out.u32(num);
        }
    }

    /// `struct vhost_vring_addr`: where the three areas of a ring lie, as addresses in the front
    /// end's own process ("user addresses").
    ///
    /// @param index the ring
    /// @param flags [#LOG]: log writes to the used ring
    /// @param desc the descriptor table
    /// @param used the used ring
    /// @param avail the available ring
    /// @param log the guest address of the used ring, for the log; it is known anyway
    record RingAddresses(int index, int flags, long desc, long used, long avail, long log) implements Payload {

        /// See [RingAddresses#flags] (vhost-user: `VHOST_VRING_F_LOG`).
        public static final int LOG = 1;

        private static final StructLayout LAYOUT = struct(
                "vhost_vring_addr",
                u32("index"),
                u32("flags"),
                u64("desc_user_addr"),
                u64("used_user_addr"),
                u64("avail_user_addr"),
                u64("log_guest_addr"));

        /// Reads the addresses.
        public static RingAddresses decode(WireReader in) throws MalformedException {
            return new RingAddresses(in.u32(), in.u32(), in.u64(), in.u64(), in.u64(), in.u64());
        }

        /// Whether the ring lies where it did.
        public boolean isSamePlace(RingAddresses other) {
            return other != null && desc == other.desc && used == other.used && avail == other.avail;
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(index);
            out.u32(flags);
            out.u64(desc);
            out.u64(used);
            out.u64(avail);
            out.u64(log);
        }
    }

    /// All memory regions, as `struct vhost_memory`; one file descriptor each comes along.
    record RegionTable(List<Region> regions) implements Payload {
        private static final StructLayout LAYOUT = struct("vhost_memory", u32("nregions"), u32("padding"));

        /// Reads the table. The count is not believed before it is compared with the limit.
        public static RegionTable decode(WireReader in) throws MalformedException {
            int count = in.u32();
            in.skip(4);
            if (count < 0 || count > FrameStream.MAX_FDS) {
                throw new MalformedException("a memory table of " + Integer.toUnsignedString(count) + " regions");
            }
            List<Region> regions = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                regions.add(OneRegion.decodeRegion(in));
            }
            return new RegionTable(List.copyOf(regions));
        }

        @Override
        public StructLayout layout() {
            return LAYOUT; // of what stands before the regions
        }

        @Override
        public int sizeInBytes() {
            return (int) LAYOUT.byteSize() + regions.size() * OneRegion.REGION_BYTES;
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(regions.size());
            out.zeros(4);
            regions.forEach(region -> OneRegion.encodeRegion(region, out));
        }
    }

    /// One memory region, behind eight bytes without meaning.
    record OneRegion(Region region) implements Payload {
        static final int REGION_BYTES = 32;

        private static final StructLayout LAYOUT = struct(
                "vhost_user_mem_reg_msg",
                u64("padding"),
                u64("guest_phys_addr"), // where the guest sees it
                u64("memory_size"),
                u64("userspace_addr"), // where the front end sees it
                u64("mmap_offset")); // where it begins in the file

        /// Reads a region.
        public static OneRegion decode(WireReader in) throws MalformedException {
            in.skip(8);
            return new OneRegion(decodeRegion(in));
        }

        static Region decodeRegion(WireReader in) throws MalformedException {
            return new Region(in.u64(), in.u64(), in.u64(), in.u64());
        }

        static void encodeRegion(Region region, WireWriter out) {
            out.u64(region.guestAddress());
            out.u64(region.size());
            out.u64(region.userAddress());
            out.u64(region.fileOffset());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.zeros(8);
            encodeRegion(region, out);
        }
    }

    /// A part of the configuration space. GET_CONFIG sends room for the bytes it asks for.
    ///
    /// @param offset where the part begins
    /// @param flags 0: the driver writes, 1: a migration restores
    /// @param bytes the part itself
    record Config(int offset, int flags, Buffers bytes) implements Payload {

        /// The largest configuration space (vhost-user: `VHOST_USER_MAX_CONFIG_SIZE` of QEMU).
        public static final int LARGEST = 256;

        private static final StructLayout LAYOUT =
                struct("vhost_user_config", u32("offset"), u32("size"), u32("flags"));

        /// Reads a part. Its size stands there twice, in the header and here: they must agree.
        public static Config decode(WireReader in) throws MalformedException {
            int offset = in.u32();
            int size = in.u32();
            int flags = in.u32();
            if (size < 0 || size > LARGEST || size != in.remaining()) {
                throw new MalformedException("a configuration part of %s bytes, and %d bytes for it"
                        .formatted(Integer.toUnsignedString(size), in.remaining()));
            }
            return new Config(offset, flags, in.rest());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT; // of what stands before the bytes
        }

        @Override
        public int sizeInBytes() {
            return (int) (LAYOUT.byteSize() + bytes.size());
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(offset);
            out.u32((int) bytes.size());
            out.u32(flags);
            out.buffers(bytes);
        }
    }
}
