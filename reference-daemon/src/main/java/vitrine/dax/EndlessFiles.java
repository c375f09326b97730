package vitrine.dax;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// A file system for this host's kernel in which each file is one of the share's, with the same
/// pages, and has no end. This is the rule for the end of a file: the front end never gets to see
/// it.
///
/// The guest's kernel wants 2 MiB of a file at a time, whatever is there of it, and knows by itself
/// where the file ends. QEMU refuses to map a page behind the end; of an empty file it makes one of
/// 2 MiB. To map only what is there does not help: the file grows, by an append of the guest that
/// is already answered or by the host, and the guest reads zeros where nothing is mapped. To make
/// the file longer for as long as QEMU looks is worse: whoever appends meanwhile, and be it another
/// program of the same guest, appends behind the zeros, and is cut off when they are.
///
/// So QEMU is handed a descriptor of another file, one of ours. It says that it has 2^62 bytes, and
/// that its data is the host file's (fuse.h: FUSE_PASSTHROUGH, Linux 6.9). The kernel maps that
/// file's own pages, and the host file stays as it is. Whoever touches a page behind its end gets
/// what the kernel has for that, a `SIGBUS`; no guest does who has not been told a wrong size.
public final class EndlessFiles implements FileSystem {

    /// The size that each of the files has, in bytes.
    public static final long LENGTH = 1L << 62;

    private static final int MAJOR = 7;
    private static final int BLOCK = 4096;
    private static final long A_DAY = 86_400;
    private static final int STACK_DEPTH = 2; // the share may be an overlayfs, which has 1
    private static final long FIRST = 2; // 1 is the root
    private static final long FLAGS = Flag.word(InitFlag.INIT_EXT, InitFlag.PASSTHROUGH);

    private final Syscalls sys;
    private final Map<Long, Fd> opening = new ConcurrentHashMap<>(); // by nodeid
    private final Map<Long, Integer> backing = new ConcurrentHashMap<>(); // the same, while it is open somewhere
    private final AtomicLong last = new AtomicLong(FIRST - 1);
    private Fd device;
    private Fd root;

    /// Has no files until [#useMount].
    public EndlessFiles(Syscalls sys) {
        this.sys = sys;
    }

    /// Says how this file system is reached.
    ///
    /// @param fuseDevice through which the kernel asks it
    /// @param mountRoot its root directory, as seen through the kernel
    public void useMount(Fd fuseDevice, Fd mountRoot) {
        device = fuseDevice;
        root = mountRoot;
    }

    /// Opens the file that has the same data as `file`, for reading and writing.
    ///
    /// @param file open for reading and writing; stays the caller's
    /// @throws ErrnoException `EPERM` if the process or the kernel cannot do this
    public Fd open(Fd file) throws ErrnoException {
        long nodeid = last.incrementAndGet();
        try {
            opening.put(nodeid, file);
            return sys.openat(root, Name.of(Long.toString(nodeid)), Fcntl.O_RDWR, 0);
        } finally {
            opening.remove(nodeid);
        }
    }

    /// What the kernel asks to open a file, and to let go of it.
    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        return switch (request) {
            case SessionRequest.Init init -> new Reply.Struct(agree(init.in()));
            case InodeRequest.Lookup lookup -> new Reply.Struct(lookup(lookup.name()));
            case InodeRequest.Getattr getattr -> new Reply.Struct(new AttrOut(A_DAY, 0, attr(getattr.nodeid())));
            case FileRequest.Open open -> new Reply.Struct(opened(open.nodeid()));
            case FileRequest.Release release -> closed(release.nodeid());
            case SessionRequest.Destroy _ -> Reply.EMPTY;
            case InodeRequest.Forget _, InodeRequest.BatchForget _ -> Reply.NONE;
            default -> throw new ErrnoException("opcode " + request.header().opcode(), Errno.ENOSYS);
        };
    }

    private static InitOut agree(InitIn kernel) {
        long taken = kernel.allFlags() & FLAGS;
        return new InitOut(
                MAJOR, kernel.minor(), 0, (int) taken, 0, 0, BLOCK, 1, 0, 0, (int) (taken >>> 32), STACK_DEPTH, 0);
    }

    /// A name is a number, and means something while the file is being opened.
    private EntryOut lookup(Name name) throws ErrnoException {
        for (long nodeid : opening.keySet()) {
            if (name.equals(Name.of(Long.toString(nodeid)))) {
                return new EntryOut(nodeid, 0, 0, A_DAY, 0, 0, attr(nodeid));
            }
        }
        throw new ErrnoException("no file is opened by the name " + name, Errno.ENOENT);
    }

    /// Here, and not by whoever wants the file, for it takes a capability that a thread in the
    /// sandbox has not.
    private OpenOut opened(long nodeid) throws ErrnoException {
        Fd file = opening.get(nodeid);
        if (file == null) {
            throw new ErrnoException("nobody opens file " + nodeid, Errno.EACCES);
        }
        int backingId = sys.backingOpen(device, file);
        backing.put(nodeid, backingId);
        return new OpenOut(0, Flag.word32(FopenFlag.PASSTHROUGH, FopenFlag.NOFLUSH), backingId);
    }

    private Reply closed(long nodeid) throws ErrnoException {
        Integer backingId = backing.remove(nodeid);
        if (backingId != null) {
            sys.backingClose(device, backingId); // what is mapped stays
        }
        return Reply.EMPTY;
    }

    private static Attr attr(long nodeid) {
        int mode = nodeid < FIRST ? Stat.S_IFDIR | 0700 : Stat.S_IFREG | 0600;
        return new Attr(nodeid, nodeid < FIRST ? 0 : LENGTH, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, BLOCK, 0);
    }
}
