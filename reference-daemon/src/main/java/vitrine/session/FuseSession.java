package vitrine.session;

import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.EIO;
import static vitrine.posix.Errno.ENOLCK;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import vitrine.fuse.Dialect;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.OutHeader;
import vitrine.migration.CannotMoveException;
import vitrine.migration.Movable;
import vitrine.migration.StateReader;
import vitrine.migration.StateRecord;
import vitrine.migration.StateWriter;
import vitrine.posix.ErrnoException;
import vitrine.virtqueue.DescriptorChain;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// From the bytes of a chain to the bytes of its reply: decoding, INIT, errors, the reply's header.
///
/// Several queues use one session at once; all that it remembers is what INIT agreed on. Whatever
/// goes wrong ends as an errno in the guest, never as an exception in the queue.
public final class FuseSession {

    /// What [#serve] answers for a request that is parked.
    static final long NOT_YET = -1;

    private static final int IN_HEADER = (int) InHeader.LAYOUT.byteSize();
    private static final int OUT_HEADER = (int) OutHeader.LAYOUT.byteSize();

    /// A mistake of ours is an EIO for the guest. Tests set this to see it instead.
    private static final boolean RETHROW = Boolean.getBoolean("vitrine.rethrow");

    private final FileSystem fileSystem;
    private final Movable movable; // the same untapped; null if it cannot move
    private final Complaints complaints = new Complaints(); // about guests
    private final Complaints mistakes = new Complaints(); // of ours

    private final Set<Runnable> bells = ConcurrentHashMap.newKeySet(); // of queues with parked requests
    private final AtomicLong releases = new AtomicLong();

    /// What INIT agreed on; null while there is no session, before INIT and after DESTROY.
    private volatile Dialect agreed;

    /// A session that has yet to begin, with the file system that will answer its requests.
    public FuseSession(FileSystem fileSystem) {
        this(fileSystem, fileSystem);
    }

    /// The same, and somebody listens in.
    ///
    /// @param tapped the file system as it is to be asked
    public FuseSession(FileSystem tapped, FileSystem fileSystem) {
        this.fileSystem = tapped;
        this.movable = fileSystem instanceof Movable able ? able : null;
    }

    /// What can be moved to another daemon, if it can: the session, and all that the guest holds.
    /// No queue is served meanwhile.
    public Optional<Movable> movable() {
        return movable == null ? Optional.empty() : Optional.of(new MovableSession());
    }

    private final class MovableSession implements Movable {

        @Override
        public void save(StateWriter to) throws CannotMoveException, IOException {
            movable.save(to);
        }

        @Override
        public StateRecord.Session load(StateReader from) throws CannotMoveException, MalformedException, IOException {
            agreed = null;
            StateRecord.Session session = movable.load(from);
            agreed = session == null ? null : Dialect.of(session.minor(), session.flags());
            return session;
        }
    }

    /// Serves one request that must not wait: what would have to is `ENOLCK`.
    ///
    /// @param chain the request's buffers, valid until this returns
    /// @return how many bytes of the writable side were written; 0 for a request that has no reply,
    ///     and for one that left no room for it
    public long serve(DescriptorChain chain) {
        return serve(chain, null, _ -> {});
    }

    /// Serves one request.
    ///
    /// @param parked where a request goes that has to wait, with the chain; null for nowhere
    /// @param before is told what is about to be served; null for what nobody knows
    /// @return the same, or [#NOT_YET] if the request is there now
    long serve(DescriptorChain chain, Parked parked, Consumer<Opcode> before) {
        try {
            Dialect dialect = agreed;
            FuseRequest request = FuseRequest.decode(
                    chain.readable(), chain.writable(), dialect == null ? Dialect.BEFORE_INIT : dialect);
            before.accept(request.opcode());
            Reply reply = answer(request);
            if (!bells.isEmpty() && request.opcode() != null && request.opcode().mayRelease()) {
                ring();
            }
            if (reply instanceof Reply.NotYet notYet) {
                return park(new Parked.Request(chain, request.unique(), notYet), parked);
            }
            return write(reply, request.unique(), chain.writable());
        } catch (MalformedException e) {
            complaints.add("request refused: " + e.getMessage());
            return refuse(EINVAL, chain);
        } catch (RuntimeException e) {
            return mistake(e, chain);
        }
    }

    private static long park(Parked.Request request, Parked parked) {
        return parked != null && parked.add(request) ? NOT_YET : refuse(ENOLCK, request);
    }

    /// Tries a parked request once more.
    ///
    /// @return as [#serve]
    long serveAgain(Parked.Request request) {
        DescriptorChain chain = request.chain();
        try {
            Reply reply = request.reply().attempt().answer();
            return reply instanceof Reply.NotYet ? NOT_YET : write(reply, request.unique(), chain.writable());
        } catch (ErrnoException e) {
            return refuse(e.errno(), request);
        } catch (RuntimeException e) {
            return mistake(e, chain);
        }
    }

    /// Answers a parked request with an errno.
    ///
    /// @return how many bytes were written
    static long refuse(int errno, Parked.Request request) {
        request.giveUp();
        return writeError(errno, request.unique(), request.chain().writable());
    }

    /// Not everything that goes wrong here is our mistake: a guest may say that a header lies in
    /// its DAX window, where data may lie, but nothing that Java has to touch.
    private long mistake(RuntimeException e, DescriptorChain chain) {
        if (!chain.readable().isAlive() || !chain.writable().isAlive()) {
            complaints.add("request refused: not all of it lies in memory that is the guest's alone");
            return refuse(EINVAL, chain);
        }
        if (RETHROW) {
            throw e;
        }
        mistakes.add("our mistake, answered with EIO", e);
        return refuse(EIO, chain);
    }

    /// From now on rings `bell` whenever a request may have ended what a parked one waits for.
    void listen(Runnable bell) {
        bells.add(bell);
    }

    /// The end of [#listen].
    void ignore(Runnable bell) {
        bells.remove(bell);
    }

    /// Rings the bells: something has changed for requests that wait.
    public void ring() {
        releases.incrementAndGet();
        bells.forEach(Runnable::run);
    }

    /// How often the bells were rung. For who is awake and does not hear them.
    long releases() {
        return releases.get();
    }

    /// Where to put what the guest does wrong.
    Complaints complaints() {
        return complaints;
    }

    /// Ends the session without being asked by the guest: the driver was reset, or is gone. Like
    /// DESTROY, it gives back all that the guest held.
    public void reset() {
        answer(new SessionRequest.Destroy(InHeader.of(0, 0, 0, 0, 0)));
    }

    private Reply answer(FuseRequest request) {
        try {
            return switch (request) {
                case SessionRequest.Init init -> begin(init);
                case SessionRequest.Destroy destroy -> {
                    agreed = null;
                    yield fileSystem.answer(destroy);
                }
                case FuseRequest other when agreed == null -> beforeInit(other);
                case FuseRequest other -> fileSystem.answer(other);
            };
        } catch (ErrnoException e) {
            return new Reply.Error(e.errno());
        }
    }

    /// The session that was before ends here, whether the new one comes about or not. A guest that
    /// speaks a newer major version gets ours for an answer, and asks again in that version.
    private Reply begin(SessionRequest.Init init) throws ErrnoException {
        agreed = null;
        Reply reply;
        try {
            reply = fileSystem.answer(init);
        } catch (ErrnoException e) {
            complaints.add("no session: " + e.getMessage());
            throw e;
        }
        if (reply instanceof Reply.Struct(InitOut out)
                && out.major() == init.in().major()) {
            agreed = Dialect.of(out);
        }
        return reply;
    }

    private static Reply beforeInit(FuseRequest request) {
        boolean answered = request.opcode() == null || request.opcode().isAnswered();
        return answered ? new Reply.Error(EIO) : Reply.NONE;
    }

    private long write(Reply reply, long unique, Buffers writable) {
        return switch (reply) {
            case Reply.None _ -> 0;
            case Reply.NotYet _ -> throw new IllegalArgumentException("there is nothing to be written yet");
            case Reply.Error(int errno) -> writeError(errno, unique, writable);
            // Nothing is cut: half a struct would be read as a whole one.
            case Reply value
            when OUT_HEADER + value.size() > writable.size() -> {
                complaints.add("a reply of " + value.size() + " bytes has no room");
                yield writeError(EINVAL, unique, writable);
            }
            case Reply value -> {
                long length = OUT_HEADER + value.size();
                WireWriter out = new WireWriter(writable);
                new OutHeader((int) length, 0, unique).encode(out);
                value.encode(out);
                yield length;
            }
        };
    }

    private static long writeError(int errno, long unique, Buffers writable) {
        if (writable.size() < OUT_HEADER || !writable.slice(0, OUT_HEADER).isAlive()) {
            return 0;
        }
        new OutHeader(OUT_HEADER, -errno, unique).encode(new WireWriter(writable));
        return OUT_HEADER;
    }

    /// Answers what is no request, if it at least says what the answer is to be called.
    private static long refuse(int errno, DescriptorChain chain) {
        try {
            return writeError(errno, InHeader.decode(header(chain)).unique(), chain.writable());
        } catch (MalformedException _) {
            return 0;
        }
    }

    private static WireReader header(DescriptorChain chain) throws MalformedException {
        Buffers header = new WireReader(chain.readable()).take(IN_HEADER);
        if (!header.isAlive()) {
            throw new MalformedException("a header in memory that is not the guest's alone");
        }
        return new WireReader(header);
    }
}
