package vitrine.guest.compare;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.BmapIn;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.frontend.Eventfds;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.FrontendOptions;
import vitrine.guest.frontend.FrontendQueue;
import vitrine.guest.frontend.Manners;
import vitrine.guest.kernel.KernelProfile;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// A guest that asks for the same thing over and over: the requests of [RequestKind], ready to be
/// pumped, and a few things that take several requests.
public final class RepeatingGuest implements AutoCloseable {

    private static final int PAGES = 8192;
    private static final long ROOT = 1;
    private static final int QUEUE_SIZE = 128;
    private static final int DIFFERENT = 64; // requests of a kind that lie ready

    private final Frontend frontend;
    private final Pump pump;
    private final Random random = new Random(3);
    private long unique;
    private int caller; // uid and gid

    /// Connects to a daemon that shares a [ShareOfFiles].
    public RepeatingGuest(Syscalls sys, UnixSocket socket)
            throws FrontendException, BrokenDeviceException, ErrnoException {
        FrontendOptions options = FrontendOptions.of(Manners.QEMU_11, 64L << 20);
        frontend = Frontend.connect(sys, socket, options);
        FrontendQueue queue = frontend.startQueues(QUEUE_SIZE).get(1);
        pump = new Pump(frontend.ram(), queue.ring(), new Eventfds(sys, queue), PAGES);
        KernelProfile client = KernelProfile.LINUX_6_1;
        InitIn init = new InitIn(7, client.minor(), client.maxReadahead(), (int) client.offered(), (int)
                (client.offered() >>> Integer.SIZE));
        exchange(new SessionRequest.Init(header(0), init), 64);
    }

    /// Asks as this user from now on, and in the group of the same number; at first it is root.
    public void become(int user) {
        caller = user;
    }

    /// What sends the requests.
    public Pump pump() {
        return pump;
    }

    /// Requests of a kind, ready to be sent at any depth and any number of times.
    public List<Pump.Slot> ready(RequestKind kind) throws BrokenDeviceException, ErrnoException, MalformedException {
        List<Pump.Slot> slots = new ArrayList<>();
        long file = lookup(ShareOfFiles.DATA); // from now on it has a nodeid
        long fh = kind.needsFile() ? open(file) : 0;
        for (int i = 0; i < (kind == RequestKind.WRITE_1M ? 4 : DIFFERENT); i++) {
            slots.add(pump.place(request(kind, file, fh), kind.room()));
        }
        return slots;
    }

    private FuseRequest request(RequestKind kind, long file, long fh) {
        long page = random.nextLong(ShareOfFiles.DATA_BYTES / 4096) * 4096;
        long megabyte = random.nextLong(ShareOfFiles.DATA_BYTES >> 20) << 20;
        return switch (kind) {
            case NOTHING -> new InodeRequest.Bmap(header(file), new BmapIn(0, 4096));
            case STATFS -> new InodeRequest.Statfs(header(ROOT));
            case GETATTR -> new InodeRequest.Getattr(header(ROOT), new GetattrIn(0, 0));
            case LOOKUP -> new InodeRequest.Lookup(header(ROOT), Name.of(ShareOfFiles.DATA));
            case READ_4K -> new FileRequest.Read(header(file), new ReadIn(fh, page, 4096, 0, 0, 0), Buffers.EMPTY);
            case WRITE_4K -> write(file, fh, page, 4096);
            case WRITE_1M -> write(file, fh, megabyte, 1 << 20);
            case FLUSH -> new FileRequest.Flush(header(file), new FlushIn(fh, 0));
        };
    }

    private FuseRequest write(long file, long fh, long offset, int size) {
        Buffers data = Buffers.of(Arena.ofAuto().allocate(size));
        return new FileRequest.Write(header(file), new WriteIn(fh, offset, size, 0, 0, 0), data);
    }

    /// LOOKUP of a name that has no nodeid, and FORGET.
    public void lookUpAndForget(String name) throws BrokenDeviceException, ErrnoException, MalformedException {
        long nodeid = lookup(name);
        post(new InodeRequest.Forget(header(nodeid), new ForgetIn(1)));
    }

    /// OPEN and RELEASE.
    public void openAndRelease() throws BrokenDeviceException, ErrnoException, MalformedException {
        long file = lookup(ShareOfFiles.DATA);
        long fh = open(file);
        exchange(new FileRequest.Release(header(file), new ReleaseIn(fh, 0, 0, 0)), 0);
    }

    /// CREATE, RELEASE, UNLINK, FORGET of a new file, one after the other.
    public void createAndRemove(String name) throws BrokenDeviceException, ErrnoException, MalformedException {
        Extensions none = Extensions.NONE;
        CreateIn in = new CreateIn(Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_EXCL, 0100644, 022, 0);
        byte[] created = exchange(new FileRequest.Create(header(ROOT), in, Name.of(name), none), 144);
        WireReader reply = new WireReader(Buffers.ofBytes(created));
        long nodeid = EntryOut.decode(reply).nodeid();
        long fh = OpenOut.decode(reply).fh();
        exchange(new FileRequest.Release(header(nodeid), new ReleaseIn(fh, 0, 0, 0)), 0);
        exchange(new DirectoryRequest.Unlink(header(ROOT), Name.of(name)), 0);
        post(new InodeRequest.Forget(header(nodeid), new ForgetIn(1)));
    }

    /// Reads the whole of the large directory with READDIRPLUS in pieces of 4 KiB, as Linux does.
    ///
    /// @param forget how many lookups of each file to take back at once: with 0 all of them are
    ///     known the next time
    /// @return how many entries there were
    public int listAll(int forget) throws BrokenDeviceException, ErrnoException, MalformedException {
        long many = lookup(ShareOfFiles.MANY);
        byte[] opened = exchange(new DirectoryRequest.Opendir(header(many), new OpenIn(0, 0)), 16);
        long fh = OpenOut.decode(new WireReader(Buffers.ofBytes(opened))).fh();
        long offset = 0;
        int entries = 0;
        while (true) {
            ReadIn in = new ReadIn(fh, offset, 4096, 0, 0, 0);
            byte[] read = exchange(new DirectoryRequest.Readdirplus(header(many), in, Buffers.EMPTY), 4096);
            if (read.length == 0) {
                break;
            }
            List<ForgetOne> forgets = new ArrayList<>();
            WireReader reply = new WireReader(Buffers.ofBytes(read));
            while (reply.remaining() > 0) {
                long nodeid = EntryOut.decode(reply).nodeid();
                if (nodeid != 0) { // not . and ..
                    forgets.add(new ForgetOne(nodeid, forget));
                }
                offset = offsetBehind(reply);
                entries++;
            }
            if (forget > 0) {
                post(new InodeRequest.BatchForget(header(0), forgets));
            }
        }
        exchange(new DirectoryRequest.Releasedir(header(many), new ReleaseIn(fh, 0, 0, 0)), 0);
        return entries;
    }

    private static long offsetBehind(WireReader entry) throws MalformedException {
        entry.skip(8); // ino
        long offset = entry.u64();
        long length = entry.u32AsLong();
        entry.skip(4 + ((length + 7) & -8)); // type, name
        return offset;
    }

    private long lookup(String name) throws BrokenDeviceException, ErrnoException, MalformedException {
        byte[] entry = exchange(new InodeRequest.Lookup(header(ROOT), Name.of(name)), 128);
        return EntryOut.decode(new WireReader(Buffers.ofBytes(entry))).nodeid();
    }

    private long open(long nodeid) throws BrokenDeviceException, ErrnoException, MalformedException {
        byte[] opened = exchange(new FileRequest.Open(header(nodeid), new OpenIn(Fcntl.O_RDWR, 0)), 16);
        return OpenOut.decode(new WireReader(Buffers.ofBytes(opened))).fh();
    }

    private byte[] exchange(FuseRequest request, int room) throws BrokenDeviceException, ErrnoException {
        Pump.Slot slot = pump.place(request, room);
        pump.run(List.of(slot), 1, 1);
        if (slot.errno() != 0) {
            throw new ErrnoException(request.opcode().toString(), slot.errno());
        }
        byte[] reply = pump.reply(slot);
        pump.discard(List.of(slot));
        return reply;
    }

    private void post(FuseRequest request) throws BrokenDeviceException, ErrnoException {
        Pump.Slot slot = pump.place(request, 0);
        pump.run(List.of(slot), 1, 1);
        pump.discard(List.of(slot));
    }

    private InHeader header(long nodeid) {
        unique += 2;
        return InHeader.of(unique, nodeid, caller, caller, 1);
    }

    @Override
    public void close() {
        frontend.close();
    }
}
