package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.EACCES;
import static vitrine.posix.Errno.EIO;
import static vitrine.posix.Errno.ENOSYS;

import java.util.Set;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.GetattrFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.Statx;
import vitrine.fuse.struct.StatxIn;
import vitrine.fuse.struct.StatxOut;
import vitrine.fuse.struct.SxTime;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.Part;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;

/// What is known of a file, and GETATTR when that is out of date.
final class Attributes {

    private static final SxTime UNKNOWN = new SxTime(0, 0);

    private final Mount mount;

    Attributes(Mount mount) {
        this.mount = mount;
    }

    /// Attributes of which these parts can be believed.
    ///
    /// @param file an open file, where the kernel has one at hand; or null
    Attr fresh(Task task, GuestInode inode, LinuxFile file, Set<Part> wanted) throws ErrnoException {
        if (inode.isStale(wanted)) {
            ask(task, inode, file);
        }
        return inode.attr();
    }

    /// GETATTR, whatever is known.
    void ask(Task task, GuestInode inode, LinuxFile file) throws ErrnoException {
        boolean handle = file != null && inode.isRegular();
        GetattrIn in = handle ? new GetattrIn(Flag.word32(GetattrFlag.FH), file.fh()) : new GetattrIn(0, 0);
        long askedAt = inode.askedAt();
        AttrOut out = mount.client()
                .ask(
                        new InodeRequest.Getattr(mount.client().header(task, inode.nodeid()), in),
                        (int) AttrOut.LAYOUT.byteSize(),
                        AttrOut::decode);
        requireSameType(inode, out.attr());
        inode.refresh(out, askedAt);
    }

    /// A file does not become a directory. If a server says so, it is another file.
    static void requireSameType(GuestInode inode, Attr newer) throws ErrnoException {
        int type = inode.attr().mode() & Stat.S_IFMT;
        if (type != (newer.mode() & Stat.S_IFMT)) {
            throw new ErrnoException("file of another type", EIO);
        }
    }

    /// Requires permissions, as the server knows them lately (`fuse_permission` in Linux). Before
    /// somebody is refused the server is asked once more.
    ///
    /// @param wanted the bits of [Permission]
    void require(Task task, GuestInode inode, int wanted) throws ErrnoException {
        boolean asked = inode.isStale(Part.PERMISSION);
        if (asked) {
            ask(task, inode, null);
        }
        try {
            Permission.require(task, inode.attr(), wanted);
        } catch (ErrnoException e) {
            if (asked || e.errno() != EACCES) {
                throw e;
            }
            ask(task, inode, null);
            Permission.require(task, inode.attr(), wanted);
        }
    }

    /// Requires that names may be made and removed in a directory.
    void requireChange(Task task, GuestInode directory) throws ErrnoException {
        require(task, directory, Permission.WRITE | Permission.EXECUTE);
    }

    /// Requires that `file` may be removed from `directory`.
    void requireRemoval(Task task, GuestInode directory, GuestInode file) throws ErrnoException {
        requireChange(task, directory);
        Permission.requireUnsticky(task, directory.attr(), file.attr());
    }

    /// statx(2) of a program that wants the time of birth as well, which is what STATX is there
    /// for. A server that does not know it is asked for nothing more than for stat(2).
    Statx statx(Task task, GuestInode inode) throws ErrnoException {
        boolean asks =
                mount.client().profile().has(Habit.STATX) && !mount.client().lacks(Opcode.STATX);
        if (asks && (inode.isStale(Part.ALL) || inode.birth() == null)) {
            try {
                askBirth(task, inode);
                return withBirth(inode.attr(), inode.birth());
            } catch (ErrnoException e) {
                if (e.errno() != ENOSYS) {
                    throw e;
                }
            }
        }
        return withBirth(fresh(task, inode, null, Part.ALL), inode.birth());
    }

    private void askBirth(Task task, GuestInode inode) throws ErrnoException {
        StatxIn in = new StatxIn(0, 0, 0, Stat.STATX_BASIC_STATS | Stat.STATX_BTIME);
        long askedAt = inode.askedAt();
        StatxOut out = mount.client()
                .ask(
                        new InodeRequest.Statx(mount.client().header(task, inode.nodeid()), in),
                        (int) StatxOut.LAYOUT.byteSize(),
                        StatxOut::decode);
        Attr attr = attrOf(out.stat(), inode.attr().flags());
        requireSameType(inode, attr);
        inode.refresh(new AttrOut(out.attrValid(), out.attrValidNsec(), attr), askedAt);
        boolean has = (out.stat().mask() & Stat.STATX_BTIME) != 0;
        inode.birth(has ? out.stat().btime() : UNKNOWN);
    }

    private static Attr attrOf(Statx stat, int flags) {
        int rdev = stat.rdevMinor() & 0xff | stat.rdevMajor() << 8 | (stat.rdevMinor() & ~0xff) << 12;
        return new Attr(
                stat.ino(),
                stat.size(),
                stat.blocks(),
                stat.atime().tvSec(),
                stat.mtime().tvSec(),
                stat.ctime().tvSec(),
                stat.atime().tvNsec(),
                stat.mtime().tvNsec(),
                stat.ctime().tvNsec(),
                stat.mode(),
                stat.nlink(),
                stat.uid(),
                stat.gid(),
                rdev,
                stat.blksize(),
                flags);
    }

    private static Statx withBirth(Attr attr, SxTime birth) {
        boolean known = birth != null && birth != UNKNOWN;
        return new Statx(
                Stat.STATX_BASIC_STATS | (known ? Stat.STATX_BTIME : 0),
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
                known ? birth : UNKNOWN,
                new SxTime(attr.ctime(), attr.ctimensec()),
                new SxTime(attr.mtime(), attr.mtimensec()),
                attr.rdev() >>> 8 & 0xfff,
                attr.rdev() & 0xff | attr.rdev() >>> 12 & ~0xff,
                0,
                0);
    }
}
