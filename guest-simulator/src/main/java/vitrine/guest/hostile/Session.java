package vitrine.guest.hostile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.guest.frontend.Eventfds;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.Manners;
import vitrine.guest.frontend.RamLayout;
import vitrine.guest.process.OwnUser;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.Frame;
import vitrine.vhostuser.message.FrameStream;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.virtqueue.Descriptor;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// A guest that is honest until a lie is told in its name: it has agreed on everything, and has a
/// file open.
///
/// Its memory has two regions, one right behind the other; indirect descriptors are not agreed on.
public final class Session implements AutoCloseable {

    /// The nodeid of the shared directory.
    static final long ROOT = 1;

    /// Room for any reply that is asked for here.
    static final int ROOM = 4096;

    /// Entries of each queue.
    static final int QUEUE_SIZE = 128;

    /// Where the second region begins, and where memory ends.
    static final long SEAM = 1L << 20;

    static final long RAM_END = 8L << 20;

    private static final int HIPRIO = 0;
    private static final int REQUESTS = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(50); // so often: is the daemon still there?
    private static final String FILE = "vitrine-hostile";

    private final Syscalls sys;
    private final UnixSocket socket; // the front end's
    private final Frontend frontend;
    private final BooleanSupplier daemonIsThere;
    private final OwnUser user = OwnUser.now();
    private final List<FrontendQueue> queues;
    private final List<LyingDriver> drivers = new ArrayList<>();
    private long file;
    private long fh;
    private long unique;

    private Session(Syscalls sys, UnixSocket socket, Frontend frontend, BooleanSupplier daemonIsThere)
            throws FrontendException {
        this.sys = sys;
        this.socket = socket;
        this.frontend = frontend;
        this.daemonIsThere = daemonIsThere;
        queues = frontend.startQueues(QUEUE_SIZE);
        for (FrontendQueue queue : queues) {
            drivers.add(new LyingDriver(queue.ring().split(), frontend.ram(), new Eventfds(sys, queue), LOOK));
        }
    }

    /// Connects to a daemon, and makes a file that has no name any more.
    ///
    /// @param socket taken over
    /// @param daemonIsThere whether it is worth waiting for an answer
    /// @throws FrontendException if the daemon does not serve an honest guest
    static Session begin(Syscalls sys, UnixSocket socket, BooleanSupplier daemonIsThere)
            throws FrontendException, ErrnoException {
        RamLayout ram = new RamLayout(List.of(new RamLayout.Range(0, SEAM), new RamLayout.Range(SEAM, RAM_END - SEAM)));
        FrontendOptions options =
                FrontendOptions.of(Manners.QEMU_11, RAM_END).withRam(ram).withoutFeatures(Features.INDIRECT_DESC);
        Frontend frontend = Frontend.connect(sys, socket, options);
        try {
            Session session = new Session(sys, socket, frontend, daemonIsThere);
            session.init();
            return session;
        } catch (FrontendException e) {
            frontend.close();
            throw e;
        }
    }

    private void init() throws FrontendException {
        honest(new SessionRequest.Init(header(0), new InitIn(7, 38, 131_072, -1, -1)));
        Made made = make();
        file = made.nodeid();
        fh = made.fh();
    }

    /// Makes a file and opens it. Its name is gone again.
    Made make() throws FrontendException {
        CreateIn create = new CreateIn(Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_TRUNC, 0100600, 0, 0);
        WireReader made = honest(new FileRequest.Create(header(ROOT), create, Name.of(FILE), Extensions.NONE))
                .payload();
        honest(new DirectoryRequest.Unlink(header(ROOT), Name.of(FILE)));
        try {
            return new Made(EntryOut.decode(made).nodeid(), OpenOut.decode(made).fh());
        } catch (MalformedException e) {
            throw new FrontendException("the answer to CREATE is none: " + e.getMessage());
        }
    }

    /// An open file.
    record Made(long nodeid, long fh) {}

    private Returned honest(FuseRequest request) throws FrontendException {
        post(REQUESTS, bytes(request), ROOM);
        Optional<Returned> returned = await(REQUESTS);
        if (returned.isEmpty() || returned.get().isEmpty() || returned.get().errno() != 0) {
            throw new FrontendException(request.opcode() + " of an honest guest: "
                    + returned.map(Returned::toString).orElse("no answer"));
        }
        return returned.get();
    }

    // ---- for those who tell lies

    /// What starts queues and announces memory.
    Frontend frontend() {
        return frontend;
    }

    /// What writes into the request queue.
    LyingDriver driver() {
        return drivers.get(REQUESTS);
    }

    /// The nodeid of a file of some bytes.
    long file() {
        return file;
    }

    /// It is open for reading and writing.
    long fh() {
        return fh;
    }

    /// A header of whoever runs this, with a number that was not used before.
    InHeader header(long nodeid) {
        unique += 2;
        return InHeader.of(unique, nodeid, user.uid(), user.gid(), 4711);
    }

    /// An honest request of 56 bytes, which is answered by 120.
    byte[] getattr() {
        return bytes(new InodeRequest.Getattr(header(ROOT), new GetattrIn(0, 0)));
    }

    /// A request as bytes.
    static byte[] bytes(FuseRequest request) {
        return request.encode().all().toBytes();
    }

    /// Sends a request that is at least put together rightly.
    Outcome ask(FuseRequest request) {
        return ask(bytes(request));
    }

    /// Sends bytes in a chain that keeps all rules.
    Outcome ask(byte[] request) {
        return ask(request, ROOM);
    }

    /// The same with so much room for the reply.
    Outcome ask(byte[] request, int room) {
        post(REQUESTS, request, room);
        return outcome();
    }

    /// Puts a GETATTR where requests lie, and offers a chain as it is.
    Outcome send(Descriptor... chain) {
        driver().place(getattr());
        return offer(chain);
    }

    /// Offers a chain as it is.
    Outcome offer(Descriptor... chain) {
        driver().post(0, List.of(chain));
        return outcome();
    }

    /// What comes of what was just put into the ring.
    Outcome outcome() {
        Optional<Returned> returned = await(REQUESTS);
        if (returned.isPresent()) {
            return Outcome.of(returned.get());
        }
        return isGivenUp(REQUESTS) ? Outcome.STOPPED : Outcome.SILENT;
    }

    /// Sends an empty message of the front end's, and after it one that has an answer.
    Outcome say(int number) {
        FrameStream stream = new FrameStream(socket, sys, PATIENCE);
        MessageHeader header = new MessageHeader(number, MessageHeader.VERSION, 0);
        try {
            stream.send(new Frame(header, Buffers.EMPTY, List.of()));
            stream.send(new NegotiationMessage.GetFeatures().toFrame(false));
            return stream.receive().isPresent() ? Outcome.fine(Outcome.NEXT) : Outcome.SILENT;
        } catch (ErrnoException | MalformedException _) {
            return Outcome.SILENT;
        }
    }

    /// Whether so many chains come back, however.
    Outcome allBack(int count) {
        for (int i = 0; i < count; i++) {
            if (await(REQUESTS).isEmpty()) {
                return isGivenUp(REQUESTS) ? Outcome.STOPPED : Outcome.SILENT;
            }
        }
        return Outcome.fine(Outcome.ALL_BACK);
    }

    // ---- for those who listen to them

    /// What a lie has come to, when an honest request is sent after it.
    Outcome then(Outcome told) {
        if (told.kind() != Outcome.Kind.FINE && told.kind() != Outcome.Kind.STOPPED) {
            return told;
        }
        int queue = told.kind() == Outcome.Kind.STOPPED ? HIPRIO : REQUESTS;
        post(queue, getattr(), ROOM);
        Optional<Returned> answer = await(queue);
        if (answer.isEmpty()) {
            return Outcome.SILENT;
        }
        Outcome next = Outcome.of(answer.get());
        return next.text().equals(Outcome.ANSWERED) ? told : Outcome.spoilt(next.text());
    }

    private void post(int queue, byte[] request, int room) {
        LyingDriver driver = drivers.get(queue);
        driver.place(request);
        Descriptor in = new Descriptor(driver.request(), request.length, room > 0 ? Descriptor.NEXT : 0, 1);
        Descriptor out = new Descriptor(driver.reply(), room, Descriptor.WRITE, 0);
        driver.post(0, room > 0 ? List.of(in, out) : List.of(in));
    }

    private Optional<Returned> await(int queue) {
        LyingDriver driver = drivers.get(queue);
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        Optional<Returned> returned = driver.await();
        while (returned.isEmpty() && isThere() && !isGivenUp(queue) && System.nanoTime() < giveUp) {
            returned = driver.await();
        }
        return returned;
    }

    private boolean isThere() {
        return daemonIsThere.getAsBoolean() && frontend.isConnected();
    }

    private boolean isGivenUp(int queue) {
        try {
            return sys.poll(List.of(queues.get(queue).error().fd()), 0) != 0;
        } catch (ErrnoException _) {
            return false;
        }
    }

    @Override
    public void close() {
        frontend.close();
    }
}
