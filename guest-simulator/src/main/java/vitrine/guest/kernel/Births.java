package vitrine.guest.kernel;

import static vitrine.posix.Errno.ENOSYS;

import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.Statx;
import vitrine.fuse.struct.StatxIn;
import vitrine.fuse.struct.StatxOut;
import vitrine.fuse.struct.SxTime;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// statx(2) of a program that wants the time of birth as well, which is what STATX is there for.
///
/// Linux asks since 6.6, and a server that answers ENOSYS is not asked again: then, as before,
/// there is no time of birth.
final class Births {

    private static final int SINCE = 39; // the minor version that brought STATX
    private static final SxTime UNKNOWN = new SxTime(0, 0);

    private final FuseClient client;
    private volatile boolean missing;

    Births(FuseClient client) {
        this.client = client;
    }

    Statx statx(Task task, GuestInode inode) throws ErrnoException {
        if (missing || client.minor() < SINCE) {
            return withoutBirth(inode.attr());
        }
        StatxIn in = new StatxIn(0, 0, 0, Stat.STATX_BASIC_STATS | Stat.STATX_BTIME);
        try {
            return client.ask(
                            new InodeRequest.Statx(client.header(task, inode.nodeid()), in),
                            (int) StatxOut.LAYOUT.byteSize(),
                            StatxOut::decode)
                    .stat();
        } catch (ErrnoException e) {
            if (e.errno() != ENOSYS) {
                throw e;
            }
            missing = true;
            return withoutBirth(inode.attr());
        }
    }

    private static Statx withoutBirth(Attr attr) {
        return new Statx(
                Stat.STATX_BASIC_STATS,
                attr.blksize(),
                0,
                attr.nlink(),
                attr.uid(),
                attr.gid(),
                attr.mode(),
                attr.ino(),
                attr.size(),
                attr.blocks(),
                0,
                new SxTime(attr.atime(), attr.atimensec()),
                UNKNOWN,
                new SxTime(attr.ctime(), attr.ctimensec()),
                new SxTime(attr.mtime(), attr.mtimensec()),
                attr.rdev() >>> 8 & 0xfff,
                attr.rdev() & 0xff | attr.rdev() >>> 12 & ~0xff,
                0,
                0);
    }
}
