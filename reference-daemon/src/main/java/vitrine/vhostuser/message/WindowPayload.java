package vitrine.vhostuser.message;

import static vitrine.wire.Layouts.array;
import static vitrine.wire.Layouts.bytes;
import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;
import static vitrine.wire.Layouts.u8;

import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// Payloads about the windows that a device has in guest memory (virtio 1.3, 2.10: "Shared Memory
/// Regions").
public sealed interface WindowPayload extends Payload {

    /// The answer to GET_SHMEM_CONFIG.
    ///
    /// The wire has room for 256 windows; a virtio-fs device has at most one, number 0.
    ///
    /// @param window bytes of window 0; 0 if there is none. QEMU ends if it is no power of two
    record Sizes(long window) implements WindowPayload {
        private static final int MOST = 256;

        private static final StructLayout LAYOUT = struct(
                "vhost_user_shmem_config",
                u32("nregions"), // how many of the sizes are not 0
                u32("padding"),
                array("memory_sizes", MOST, ValueLayout.JAVA_LONG));

        /// Reads the sizes; those of further windows are counted, and passed over.
        ///
        /// @throws MalformedException if there are not as many windows as the first number says
        public static Sizes decode(WireReader in) throws MalformedException {
            int claimed = in.u32();
            in.skip(Integer.BYTES);
            Sizes sizes = new Sizes(in.u64());
            int windows = sizes.window == 0 ? 0 : 1;
            for (int i = 1; i < MOST; i++) {
                windows += in.u64() == 0 ? 0 : 1;
            }
            if (windows != claimed) {
                throw new MalformedException(windows + " windows have a size, and there are to be " + claimed);
            }
            return sizes;
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(window == 0 ? 0 : 1);
            out.zeros(Integer.BYTES);
            out.u64(window);
            out.zeros((MOST - 1) * (long) Long.BYTES);
        }
    }

    /// `struct VhostUserMMap`: a piece of a file, and where it is in a window.
    ///
    /// @param window the window's number
    /// @param fileOffset where the piece begins in the file
    /// @param offset where it begins in the window
    /// @param length in bytes
    /// @param flags 1: the guest may write. QEMU 11 lets it write in any case
    record Piece(int window, long fileOffset, long offset, long length, long flags) implements WindowPayload {

        /// The flag of a piece that the guest may write to.
        public static final long WRITABLE = 1;

        private static final int PADDING = 7;

        private static final StructLayout LAYOUT = struct(
                "vhost_user_mmap",
                u8("shmid"),
                bytes("padding", PADDING),
                u64("fd_offset"),
                u64("shm_offset"),
                u64("len"),
                u64("flags"));

        /// Reads a piece.
        public static Piece decode(WireReader in) throws MalformedException {
            int window = in.u8();
            in.skip(PADDING);
            return new Piece(window, in.u64(), in.u64(), in.u64(), in.u64());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u8(window);
            out.zeros(PADDING);
            out.u64(fileOffset);
            out.u64(offset);
            out.u64(length);
            out.u64(flags);
        }
    }
}
