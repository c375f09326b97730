package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InterruptIn;
import vitrine.fuse.struct.NotifyRetrieveIn;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireWriter;

/// Requests about the session itself, and those that we do not know.
public sealed interface SessionRequest extends FuseRequest {

    /// INIT begins a session. It is the first request, and says what both sides can do.
    record Init(InHeader header, InitIn in) implements SessionRequest {

        public Init {
            header = framed(header, Opcode.INIT, in.sizeInBytes());
        }

        static Init decode(Incoming in) throws MalformedException {
            // Nothing is agreed yet: an older kernel sends a shorter struct, a newer one perhaps a
            // longer one.
            InitIn args = in.body().remaining() == InitIn.COMPAT_SIZE
                    ? InitIn.decodeCompat(in.body())
                    : InitIn.decode(in.body());
            return new Init(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// INTERRUPT tells that nobody waits for a request any more.
    record Interrupt(InHeader header, InterruptIn in) implements SessionRequest {

        public Interrupt {
            header = framed(header, Opcode.INTERRUPT, in.sizeInBytes());
        }

        static Interrupt decode(Incoming in) throws MalformedException {
            InterruptIn args = InterruptIn.decode(in.body());
            in.end();
            return new Interrupt(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// DESTROY ends the session. No FORGET, RELEASE or REMOVEMAPPING comes before it: everything
    /// goes at once.
    record Destroy(InHeader header) implements SessionRequest {

        public Destroy {
            header = framed(header, Opcode.DESTROY, 0);
        }

        static Destroy decode(Incoming in) throws MalformedException {
            in.end();
            return new Destroy(in.header());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            // It has none.
        }
    }

    /// NOTIFY_REPLY brings cached data of a file that the daemon asked for.
    record NotifyReply(InHeader header, NotifyRetrieveIn in, Buffers data) implements SessionRequest {

        public NotifyReply {
            header = framed(header, Opcode.NOTIFY_REPLY, in.sizeInBytes() + data.size());
        }

        static NotifyReply decode(Incoming in) throws MalformedException {
            NotifyRetrieveIn args = NotifyRetrieveIn.decode(in.body());
            return new NotifyReply(in.header(), args, in.data(args.size()));
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// A request whose opcode we do not know. Its body is kept as it is.
    record Unknown(InHeader header, Buffers body) implements SessionRequest {

        public Unknown {
            header = header.framing(header.opcode(), body.size(), 0);
        }

        static Unknown decode(Incoming in) throws MalformedException {
            return new Unknown(in.header(), in.wholeBody());
        }

        /// The opcode's number.
        public int number() {
            return header.opcode();
        }

        @Override
        public void encodeArgs(WireWriter out) {
            out.buffers(body);
        }
    }
}
