package vitrine.guest.kernel.client;

import static vitrine.posix.Errno.EIO;
import static vitrine.posix.Errno.ENOMEM;
import static vitrine.posix.Errno.ENOSYS;

import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.fuse.Extensions;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.guest.driver.OutOfGuestMemoryException;
import vitrine.guest.driver.Transport;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.rule.Congestion;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.QueueChoice;
import vitrine.posix.ErrnoException;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// The connection of the guest's kernel to the server: numbers the requests, agrees on the session,
/// turns negative errnos into exceptions.
///
/// It knows no files.
public final class FuseClient {

    /// Protocol version that the client speaks.
    public static final int MAJOR = 7;

    /// What need not be sent again once it was answered with ENOSYS.
    private static final Set<Opcode> REMEMBERED = EnumSet.of(
            Opcode.OPEN,
            Opcode.OPENDIR,
            Opcode.CREATE,
            Opcode.FLUSH,
            Opcode.FSYNC,
            Opcode.FSYNCDIR,
            Opcode.GETXATTR,
            Opcode.SETXATTR,
            Opcode.LISTXATTR,
            Opcode.REMOVEXATTR,
            Opcode.FALLOCATE,
            Opcode.TMPFILE,
            Opcode.LSEEK,
            Opcode.COPY_FILE_RANGE,
            Opcode.COPY_FILE_RANGE_64,
            Opcode.RENAME2,
            Opcode.POLL,
            Opcode.STATX,
            Opcode.SYNCFS);

    private static final int NOT_TOLD = -1; // fuse.h: FUSE_INVALID_UIDGID
    private static final int PAGE = 4096;
    private static final int PAGES_WITHOUT_AGREEMENT = 32; // Linux, without MAX_PAGES

    private final Transport transport;
    private final KernelProfile profile;
    private final AtomicLong lastUnique = new AtomicLong(); // even numbers: bit 0 belongs to INTERRUPT

    private final Decisions decisions;
    private final Queue<Completion<?>> loose = new ConcurrentLinkedQueue<>(); // nobody waits for them
    private final Set<Opcode> lacking = ConcurrentHashMap.newKeySet();

    private volatile InitOut agreed;
    private volatile Background background;

    /// A connection that is yet to be agreed on.
    public FuseClient(Transport transport, KernelProfile profile, Decisions decisions) {
        this.decisions = decisions;
        this.transport = transport;
        this.profile = profile;
    }

    /// INIT: offers what the client can do, and remembers what the server took.
    ///
    /// @throws ErrnoException if the server refuses, or answers another major version
    public void init() throws ErrnoException {
        long offered = profile.offered();
        InitIn in = new InitIn(
                MAJOR, profile.minor(), profile.maxReadahead(), (int) offered, (int) (offered >>> Integer.SIZE));
        InitOut out =
                ask(new SessionRequest.Init(kernelHeader(0), in), (int) InitOut.LAYOUT.byteSize(), InitOut::decode);
        if (out.major() != MAJOR) {
            throw new ErrnoException("INIT: the server speaks version " + out.major(), EIO);
        }
        agreed = out;
        int most = out.maxBackground() == 0 ? vitrine.guest.kernel.rule.Background.USUAL : out.maxBackground();
        background = new Background(most, decisions);
    }

    /// DESTROY: the server may drop everything.
    public void destroy() throws ErrnoException {
        settle(true);
        ask(new SessionRequest.Destroy(kernelHeader(0)));
    }

    /// How many pages of data fit into one request or reply.
    public int mostPages() {
        int pages = agreed.maxPages() == 0 ? PAGES_WITHOUT_AGREEMENT : agreed.maxPages();
        return Math.min(pages, transport.mostPages());
    }

    /// How many bytes of data one request or reply may carry.
    public int largestData() {
        return Math.max(PAGE, Math.min(agreed.maxWrite(), mostPages() * PAGE));
    }

    /// Which Linux this is.
    public KernelProfile profile() {
        return profile;
    }

    /// How many pages are read ahead at most.
    public int readAheadPages() {
        return Math.max(1, Math.min(agreed.maxReadahead(), profile.maxReadahead()) / PAGE);
    }

    /// What INIT agreed on.
    public InitOut agreed() {
        return agreed;
    }

    /// Whether both sides agreed on a feature.
    public boolean has(InitFlag flag) {
        return flag.in(agreed.allFlags()) && flag.in(profile.offered());
    }

    /// The minor version that is spoken.
    public int minor() {
        return Math.min(agreed.minor(), profile.minor());
    }

    /// A header for what a task asks. If mounts may map identities, there is no one identity to
    /// tell (fuse.h: FUSE_ALLOW_IDMAP); but who makes something has to be told.
    public InHeader header(Task task, long nodeid) {
        return has(InitFlag.ALLOW_IDMAP)
                ? InHeader.of(lastUnique.addAndGet(2), nodeid, NOT_TOLD, NOT_TOLD, task.pid())
                : makersHeader(task, nodeid);
    }

    /// A header for what a task makes.
    public InHeader makersHeader(Task task, long nodeid) {
        return InHeader.of(lastUnique.addAndGet(2), nodeid, task.uid(), task.gid(), task.pid());
    }

    /// The supplementary group that decides about a set-group-ID bit of what is made in a
    /// directory: the directory's, if the task is in it otherwise than by its own group (fuse.h:
    /// FUSE_CREATE_SUPP_GROUP).
    public Extensions groups(Task task, Attr directory) {
        int group = directory.gid();
        boolean tell = has(InitFlag.CREATE_SUPP_GROUP) && group != task.gid() && task.inGroup(group);
        return tell ? new Extensions(List.of(group), List.of()) : Extensions.NONE;
    }

    /// A header for what the kernel does on its own: no identity (fuse.h: struct fuse_in_header).
    public InHeader kernelHeader(long nodeid) {
        return InHeader.of(lastUnique.addAndGet(2), nodeid, 0, 0, 0);
    }

    /// Whether the server has said that it does not know this request. It is not sent again.
    public boolean lacks(Opcode opcode) {
        return lacking.contains(opcode);
    }

    /// How a reply is read.
    @FunctionalInterface
    public interface Decoder<T> {

        /// Reads the struct.
        T decode(WireReader in) throws MalformedException;
    }

    /// Sends a request and reads its reply.
    ///
    /// @param room how many bytes the reply may have behind its header
    /// @throws ErrnoException what the server answered, or has answered once and for all; EIO if
    ///     the reply is none
    public <T> T ask(FuseRequest request, int room, Decoder<T> decoder) throws ErrnoException {
        if (lacks(request.opcode())) {
            throw new ErrnoException(request.opcode().name(), ENOSYS);
        }
        Transport.Answer answer;
        try {
            answer = transport.exchange(request, room, queue(request));
        } catch (OutOfGuestMemoryException e) {
            throw new ErrnoException(e.getMessage(), ENOMEM);
        }
        return read(request, answer, decoder);
    }

    /// Sends a request in the background: if its turn comes later, when somebody waits for it.
    public <T> Completion<T> submit(FuseRequest request, int room, Decoder<T> decoder) {
        return background.submit(() -> {
            Transport.Sent sent;
            try {
                sent = transport.send(request, room, queue(request));
            } catch (OutOfGuestMemoryException e) {
                return Completion.failed(new ErrnoException(e.getMessage(), ENOMEM));
            }
            return new Completion<>() {

                @Override
                public boolean isDone() {
                    return sent.isBack();
                }

                @Override
                public T await() throws ErrnoException {
                    return read(request, sent.await(), decoder);
                }
            };
        });
    }

    /// Whether the server has so much to do that nothing should be sent but what is needed.
    public boolean isCongested() {
        int threshold = agreed.congestionThreshold() == 0 ? Congestion.USUAL : agreed.congestionThreshold();
        return !decisions.by(new Congestion(background.size(), threshold));
    }

    private <T> T read(FuseRequest request, Transport.Answer answer, Decoder<T> decoder) throws ErrnoException {
        int errno = -answer.header().error();
        if (errno == ENOSYS && REMEMBERED.contains(request.opcode())) {
            lacking.add(request.opcode());
        }
        if (errno != 0) {
            throw new ErrnoException(request.opcode().name(), errno);
        }
        try {
            return decoder.decode(new WireReader(answer.payload()));
        } catch (MalformedException e) {
            throw new ErrnoException(request.opcode() + ", reply: " + e.getMessage(), EIO);
        }
    }

    /// A program of the model runs on the processor that its number names.
    private int queue(FuseRequest request) {
        int queues = transport.queues();
        return queues == 1
                ? 0
                : decisions.by(new QueueChoice(
                        profile.has(Habit.QUEUE_OF_CPU), request.header().pid(), queues));
    }

    /// Sends a request whose reply nobody waits for, and whose result nobody cares for.
    public void send(FuseRequest request) {
        loose.add(submit(request, 0, _ -> null));
        settle(false);
    }

    /// Waits until everything is back that nobody waits for.
    public void settle() {
        settle(true);
    }

    /// Takes note of what has come back.
    ///
    /// @param all whether to wait for the rest
    private void settle(boolean all) {
        for (Completion<?> it : loose) {
            if (all || it.isDone()) {
                loose.remove(it);
                try {
                    it.await();
                } catch (ErrnoException _) {
                    // nobody wanted to know
                }
            }
        }
    }

    /// Sends a request whose reply is a header alone.
    public void ask(FuseRequest request) throws ErrnoException {
        ask(request, 0, _ -> null);
    }

    /// FORGET: gives back `count` lookups.
    public void forget(long nodeid, long count) {
        transport.post(new InodeRequest.Forget(kernelHeader(nodeid), new ForgetIn(count)));
    }
}
