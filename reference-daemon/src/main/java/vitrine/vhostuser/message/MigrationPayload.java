package vitrine.vhostuser.message;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// What follows the header of messages about migration.
public sealed interface MigrationPayload extends Payload {

    /// Where the log of writes is (vhost-user: "Log description").
    ///
    /// @param size bytes
    /// @param offset where it begins in its file
    record Log(long size, long offset) implements MigrationPayload {
        private static final StructLayout LAYOUT = struct("vhost_user_log", u64("mmap_size"), u64("mmap_offset"));

        /// Reads it.
        public static Log decode(WireReader in) throws MalformedException {
            return new Log(in.u64(), in.u64());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u64(size);
            out.u64(offset);
        }
    }

    /// Which way the device's state goes (vhost-user: "Device state transfer parameters").
    ///
    /// @param direction [#SAVE] or [#LOAD]
    /// @param phase [#STOPPED]: there is no other yet
    record Transfer(int direction, int phase) implements MigrationPayload {

        /// The back end writes its state.
        public static final int SAVE = 0;

        /// The back end reads what another has written.
        public static final int LOAD = 1;

        /// No ring is being served.
        public static final int STOPPED = 0;

        private static final StructLayout LAYOUT =
                struct("vhost_user_transfer_device_state", u32("direction"), u32("phase"));

        /// Reads it.
        public static Transfer decode(WireReader in) throws MalformedException {
            return new Transfer(in.u32(), in.u32());
        }

        @Override
        public StructLayout layout() {
            return LAYOUT;
        }

        @Override
        public void encode(WireWriter out) {
            out.u32(direction);
            out.u32(phase);
        }
    }
}
