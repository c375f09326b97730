package vitrine.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.tap.TappedFileSystem;
import vitrine.tap.TappedLibc;
import vitrine.tap.TappedQueue;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceList;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.DeviceQueue;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// What the taps tell: everything that passes, in the order in which it passes, unchanged.
class TapTest {

    private final TraceList trace = new TraceList();
    private long now;
    private final Recorder recorder = new Recorder(trace, () -> ++now, Actor.DAEMON);

    private static InHeader header(long unique) {
        return InHeader.of(unique, 3, 1000, 1000, 77);
    }

    private static FileRequest.Write write(long unique) {
        int flags = (int) WriteFlag.KILL_SUIDGID.bit();
        return new FileRequest.Write(
                header(unique), new WriteIn(1, 512, 5, flags, 0, 0), Buffers.ofBytes("hello".getBytes()));
    }

    /// Seen to catch: the reply told before the file system had been asked; `SERVED` not bound.
    @Test
    void requestItsSystemCallsAndItsReplyAreToldInOrder() throws ErrnoException {
        Libc libc = TappedLibc.tap(FakeLibc.answering(0, 0), recorder);
        FileSystem fileSystem = new TappedFileSystem(
                _ -> {
                    libc.fsync(12);
                    return new Reply.Struct(new WriteOut(5));
                },
                recorder);

        Reply reply = fileSystem.answer(write(42));
        libc.fsync(13);

        assertEquals(new Reply.Struct(new WriteOut(5)), reply);
        List<TraceEvent> events = trace.events();
        assertEquals(4, events.size());
        var decoded = assertInstanceOf(TraceEvent.RequestDecoded.class, events.get(0));
        assertEquals("WRITE", decoded.opcode());
        assertEquals(new TraceEvent.Sender(3, 1000, 1000, 77), decoded.sender());
        assertTrue(decoded.fields().contains(new Field("write_flags", "KILL_SUIDGID")), () -> "" + decoded.fields());
        assertTrue(decoded.fields().contains(new Field("offset", "512")));
        assertEquals(80, decoded.raw().length()); // the header and the struct, but not the data
        var call = assertInstanceOf(TraceEvent.HostCall.class, events.get(1));
        assertEquals("fsync(fd 12)", call.name() + "(" + call.arguments() + ")");
        assertEquals(42, call.at().keys().unique());
        assertEquals(Actor.HOST, call.at().actor());
        var given = assertInstanceOf(TraceEvent.ReplyGiven.class, events.get(2));
        assertEquals(8, given.payload());
        assertEquals(List.of(new Field("size", "5")), given.fields());
        assertEquals(0, events.get(3).at().keys().unique()); // served no request
    }

    /// Whoever does not try a waiting request again says so to the file system, not to the tap.
    ///
    /// Seen to catch: a tap that keeps it to itself.
    @Test
    void whatIsGivenUpIsPassedOn() throws ErrnoException {
        var waiting = new Reply.Attempt() {
            private boolean givenUp;

            @Override
            public Reply answer() {
                return new Reply.NotYet(this, Reply.WaitsFor.A_LOCK);
            }

            @Override
            public void giveUp() {
                givenUp = true;
            }
        };
        FileSystem fileSystem = new TappedFileSystem(_ -> waiting.answer(), recorder);

        var notYet = assertInstanceOf(Reply.NotYet.class, fileSystem.answer(write(42)));
        notYet.attempt().giveUp();

        assertTrue(waiting.givenUp);
    }

    @Test
    void failureAndSilenceAreToldAsWhatTheyAre() {
        FileSystem fileSystem = new TappedFileSystem(
                request -> {
                    if (request instanceof InodeRequest.Forget) {
                        return Reply.NONE;
                    }
                    if (request instanceof InodeRequest.Lookup) {
                        throw new ErrnoException("openat", Errno.ENOENT);
                    }
                    throw new IllegalStateException("a mistake of ours");
                },
                recorder);

        assertThrows(ErrnoException.class, () -> fileSystem.answer(new InodeRequest.Lookup(header(2), Name.of("x"))));
        assertThrows(IllegalStateException.class, () -> fileSystem.answer(write(4)));
        try {
            assertSame(Reply.NONE, fileSystem.answer(new InodeRequest.Forget(header(6), new ForgetIn(1))));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }

        List<TraceEvent.ReplyGiven> replies = trace.events().stream()
                .filter(TraceEvent.ReplyGiven.class::isInstance)
                .map(TraceEvent.ReplyGiven.class::cast)
                .toList();
        assertEquals(
                List.of(Errno.ENOENT, Errno.EIO, 0),
                replies.stream().map(TraceEvent.ReplyGiven::error).toList());
        assertEquals(-1, replies.getLast().payload());
    }

    /// The head joins ring and request, also when chains are given back in another order.
    ///
    /// Seen to catch: the request of the chain popped last given to each push.
    @Test
    void queueTellsWhichRequestWasPushed() throws Exception {
        FakeQueue fake = new FakeQueue();
        fake.chains.add(new DescriptorChain(7, write(42).encode().all(), Buffers.ofBytes(new byte[24]), 4));
        fake.chains.add(new DescriptorChain(3, write(44).encode().all(), Buffers.ofBytes(new byte[24]), 4));
        DeviceQueue queue = new TappedQueue(fake, 1, recorder);

        assertEquals(7, queue.pop().orElseThrow().head());
        assertEquals(3, queue.pop().orElseThrow().head());
        assertTrue(queue.pop().isEmpty());
        queue.push(3, 24);
        queue.push(7, 16);
        queue.driverWantsCall();

        assertEquals(List.of("3:24", "7:16"), fake.pushed);
        List<RequestStory> stories = RequestStories.from(trace.events()).stories();
        assertEquals(2, stories.size());
        assertEquals(42, stories.get(0).unique());
        assertEquals(16, stories.get(0).pushed().orElseThrow().written());
        assertEquals(24, stories.get(1).pushed().orElseThrow().written());
        assertEquals(1, stories.get(0).all(TraceEvent.Notified.class).size()); // pushed last
    }

    @Test
    void brokenChainIsToldAndPassedOn() {
        FakeQueue fake = new FakeQueue();
        fake.broken = new BrokenChainException(5, "a loop");
        DeviceQueue queue = new TappedQueue(fake, 1, recorder);

        assertSame(fake.broken, assertThrows(BrokenChainException.class, queue::pop));
        queue.push(5, 0);

        List<RequestStory> stories = RequestStories.from(trace.events()).stories();
        assertEquals(1, stories.size());
        assertEquals(2, stories.getFirst().events().size());
        var refused = assertInstanceOf(
                TraceEvent.ChainRefused.class, stories.getFirst().events().getFirst());
        assertTrue(refused.why().contains("a loop"), refused.why());
    }

    /// A ring that hands out prepared chains.
    private static final class FakeQueue implements DeviceQueue {
        final Queue<DescriptorChain> chains = new ArrayDeque<>();
        final List<String> pushed = new ArrayList<>();
        BrokenChainException broken;

        @Override
        public Optional<DescriptorChain> pop() throws BrokenQueueException, BrokenChainException {
            if (broken != null) {
                throw broken;
            }
            return Optional.ofNullable(chains.poll());
        }

        @Override
        public boolean waiting() {
            return !chains.isEmpty();
        }

        @Override
        public void push(int head, long written) {
            pushed.add(head + ":" + written);
        }

        @Override
        public boolean driverWantsCall() {
            return false;
        }

        @Override
        public boolean askForKick() {
            return false;
        }

        @Override
        public void refuseKicks() {}

        @Override
        public int size() {
            return 8;
        }

        @Override
        public int base() {
            return 0;
        }
    }
}
