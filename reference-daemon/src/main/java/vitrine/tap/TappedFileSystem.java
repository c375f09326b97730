package vitrine.tap;

import java.util.Arrays;
import java.util.List;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.InHeader;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.trace.Keys;
import vitrine.trace.RawBytes;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.ReplyGiven;
import vitrine.trace.TraceEvent.RequestDecoded;
import vitrine.trace.TraceEvent.Sender;
import vitrine.wire.Buffers;
import vitrine.wire.WireWriter;

/// A file system whose requests and replies are told to a trace.
public final class TappedFileSystem implements FileSystem {

    /// The request that the calling thread serves: bound while it does, so that a system call is
    /// joined to it. See [TappedLibc].
    static final ScopedValue<Keys> SERVED = ScopedValue.newInstance();

    /// What [ReplyGiven#payload()] is for FORGET and its like, which nothing answers.
    private static final long NO_REPLY = -1;

    /// Bytes of a reply that are kept: all structs, and the first entries of a directory.
    private static final int LONGEST_REPLY = 512;

    private final FileSystem fileSystem;
    private final Recorder recorder;

    /// @param fileSystem what answers
    /// @param recorder in the daemon's name
    public TappedFileSystem(FileSystem fileSystem, Recorder recorder) {
        this.fileSystem = fileSystem;
        this.recorder = recorder;
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        Keys keys = Keys.ofUnique(request.unique());
        decoded(request, keys);
        return told(() -> fileSystem.answer(request), keys);
    }

    /// A request that waits is told once, however often it is tried: its reply when it comes.
    private Reply told(Reply.Attempt attempt, Keys keys) throws ErrnoException {
        try {
            Reply reply = ScopedValue.where(SERVED, keys).call(attempt::answer);
            if (reply instanceof Reply.NotYet(Reply.Attempt another, Reply.WaitsFor whom)) {
                return new Reply.NotYet(new Told(another, keys), whom);
            }
            given(reply, keys);
            return reply;
        } catch (ErrnoException e) {
            failed(e.errno(), keys);
            throw e;
        } catch (RuntimeException e) {
            failed(Errno.EIO, keys); // what the session makes of a mistake of ours
            throw e;
        }
    }

    private final class Told implements Reply.Attempt {

        private final Reply.Attempt attempt;
        private final Keys keys;

        Told(Reply.Attempt attempt, Keys keys) {
            this.attempt = attempt;
            this.keys = keys;
        }

        @Override
        public Reply answer() throws ErrnoException {
            return told(attempt, keys);
        }

        @Override
        public void giveUp() {
            attempt.giveUp();
        }
    }

    private void decoded(FuseRequest request, Keys keys) {
        InHeader header = request.header();
        Opcode opcode = request.opcode();
        Sender sender = new Sender(header.nodeid(), header.uid(), header.gid(), header.pid());
        recorder.add(new RequestDecoded(
                recorder.stamp(keys),
                opcode == null ? "OPCODE_" + Integer.toUnsignedString(header.opcode()) : opcode.name(),
                sender,
                RecordFields.ofRequest(request),
                bytes(request)));
    }

    /// Header and arguments, but not the data: that may be a megabyte, and is nobody's business.
    private static RawBytes bytes(FuseRequest request) {
        var encoded = request.encode();
        return RawBytes.of(Buffers.ofBytes(encoded.header())
                .followedBy(Buffers.ofBytes(encoded.args()))
                .toBytes());
    }

    private void given(Reply reply, Keys keys) {
        switch (reply) {
            case Reply.None _ ->
                recorder.add(new ReplyGiven(recorder.stamp(keys), 0, NO_REPLY, List.of(), RawBytes.EMPTY));
            case Reply.Error(int errno) -> failed(errno, keys);
            case Reply.NotYet _ -> {} // it will be told when it is there
            case Reply.Empty _, Reply.Filled _, Reply.Struct _, Reply.Structs _, Reply.Bytes _ ->
                recorder.add(new ReplyGiven(
                        recorder.stamp(keys), 0, reply.size(), RecordFields.ofReply(reply), bytes(reply)));
        }
    }

    /// The beginning of what follows the reply's header; nothing of data that is in place already.
    private static RawBytes bytes(Reply reply) {
        if (reply instanceof Reply.Filled) {
            return RawBytes.EMPTY;
        }
        byte[] bytes = new byte[Math.toIntExact(reply.size())];
        reply.encode(new WireWriter(Buffers.ofBytes(bytes)));
        return RawBytes.of(bytes.length <= LONGEST_REPLY ? bytes : Arrays.copyOf(bytes, LONGEST_REPLY));
    }

    private void failed(int errno, Keys keys) {
        recorder.add(new ReplyGiven(recorder.stamp(keys), errno, 0, List.of(), RawBytes.EMPTY));
    }
}
