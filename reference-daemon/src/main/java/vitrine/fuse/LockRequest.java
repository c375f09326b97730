package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.LkIn;
import vitrine.wire.MalformedException;
import vitrine.wire.WireWriter;

/// Requests about locks of fcntl(2) and flock(2).
///
/// They come only if POSIX_LOCKS or FLOCK_LOCKS was agreed; otherwise locks stay within the guest.
public sealed interface LockRequest extends FuseRequest {

    /// Which lock.
    LkIn in();

    @Override
    default void encodeArgs(WireWriter out) {
        in().encode(out);
    }

    /// GETLK asks which lock would stand in the way.
    record Getlk(InHeader header, LkIn in) implements LockRequest {

        public Getlk {
            header = framed(header, Opcode.GETLK, in.sizeInBytes());
        }

        static Getlk decode(Incoming in) throws MalformedException {
            LkIn args = LkIn.decode(in.body());
            in.end();
            return new Getlk(in.header(), args);
        }
    }

    /// SETLK sets or gives up a lock, or fails at once.
    record Setlk(InHeader header, LkIn in) implements LockRequest {

        public Setlk {
            header = framed(header, Opcode.SETLK, in.sizeInBytes());
        }

        static Setlk decode(Incoming in) throws MalformedException {
            LkIn args = LkIn.decode(in.body());
            in.end();
            return new Setlk(in.header(), args);
        }
    }

    /// SETLKW sets a lock, and waits until it can: answered by [Reply.NotYet] first.
    record Setlkw(InHeader header, LkIn in) implements LockRequest {

        public Setlkw {
            header = framed(header, Opcode.SETLKW, in.sizeInBytes());
        }

        static Setlkw decode(Incoming in) throws MalformedException {
            LkIn args = LkIn.decode(in.body());
            in.end();
            return new Setlkw(in.header(), args);
        }
    }
}
