package vitrine.guest.kernel;

import static vitrine.fuse.flag.SetattrFlag.ATIME;
import static vitrine.fuse.flag.SetattrFlag.ATIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.CTIME;
import static vitrine.fuse.flag.SetattrFlag.FH;
import static vitrine.fuse.flag.SetattrFlag.GID;
import static vitrine.fuse.flag.SetattrFlag.KILL_SUIDGID;
import static vitrine.fuse.flag.SetattrFlag.LOCKOWNER;
import static vitrine.fuse.flag.SetattrFlag.MODE;
import static vitrine.fuse.flag.SetattrFlag.MTIME;
import static vitrine.fuse.flag.SetattrFlag.MTIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.SIZE;
import static vitrine.fuse.flag.SetattrFlag.UID;

import java.util.Set;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.SetattrIn;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Killing.Kill;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// SETATTR: mode, owner, size, times, and the killing of set-ID bits that comes with them.
final class AttributeChange {

    private static final int ATTR_OUT = (int) AttrOut.LAYOUT.byteSize();

    private final FuseClient client;
    private final KillPriv killPriv;
    private final ExtendedAttributes xattrs;
    private final WriteBack writeBack;

    AttributeChange(FuseClient client, KillPriv killPriv, ExtendedAttributes xattrs, WriteBack writeBack) {
        this.client = client;
        this.killPriv = killPriv;
        this.xattrs = xattrs;
        this.writeBack = writeBack;
    }

    /// What a SETATTR is to say; only what `valid` names counts.
    private record Change(int valid, int mode, int uid, int gid, long size, Timespec atime, Timespec mtime) {

        static final Timespec ANY = new Timespec(0, 0);

        /// Nothing: what is left when the server is to kill by itself.
        static final Change NOTHING = new Change(0, 0, 0, 0, 0, ANY, ANY);

        static Change mode(int mode) {
            return new Change(Flag.word32(MODE), mode, 0, 0, 0, ANY, ANY);
        }

        static Change owner(int uid, int gid) {
            int valid = (uid == -1 ? 0 : Flag.word32(UID)) | (gid == -1 ? 0 : Flag.word32(GID));
            return new Change(valid, 0, uid, gid, 0, ANY, ANY);
        }

        static Change size(long size) {
            return new Change(Flag.word32(SIZE, LOCKOWNER), 0, 0, 0, size, ANY, ANY);
        }

        boolean changesMode() {
            return MODE.in(valid);
        }

        Change withMode(int newMode) {
            return new Change(valid | Flag.word32(MODE), newMode, uid, gid, size, atime, mtime);
        }

        Change withTimeOfWrite(Timespec time) {
            return new Change(valid | Flag.word32(MTIME, CTIME), mode, uid, gid, size, atime, time);
        }

        Change with(Flag flag) {
            return new Change(valid | Flag.word32(flag), mode, uid, gid, size, atime, mtime);
        }

        SetattrIn encode(long fh) {
            return new SetattrIn(
                    valid,
                    fh,
                    size,
                    0,
                    atime.seconds(),
                    mtime.seconds(),
                    0,
                    atime.nanos(),
                    mtime.nanos(),
                    0,
                    mode,
                    uid,
                    gid);
        }
    }

    /// chmod(2), by an owner. Who is not in the file's group cannot give it a set-group-ID bit.
    void chmod(Task task, GuestInode inode, int mode) throws ErrnoException {
        Permission.requireOwner(task, inode.attr());
        int type = inode.attr().mode() & Stat.S_IFMT;
        change(
                task,
                inode,
                Change.mode(type | allowed(task, mode & 07777, inode.attr().gid())));
    }

    private static int allowed(Task task, int mode, int gid) {
        return task.inGroup(gid) || task.can(Capability.FSETID) ? mode : mode & ~Stat.S_ISGID;
    }

    /// chown(2).
    void chown(Task task, GuestInode inode, int uid, int gid) throws ErrnoException {
        Permission.requireChown(task, inode.attr(), uid, gid);
        Set<Kill> kill = killPriv.neededForOwner(task, inode);
        boolean capabilities = hasCapabilities(task, inode, kill);
        Change change = withoutSetIdBits(task, inode, null, Change.owner(uid, gid), kill);
        if (change.changesMode()) { // a chmod by the way, which only owners may
            Permission.requireOwner(task, inode.attr());
            change = change.withMode(
                    allowed(task, change.mode(), gid == -1 ? inode.attr().gid() : gid));
        }
        if (capabilities) {
            xattrs.removeUnchecked(task, inode, KillPriv.CAPABILITY_ATTRIBUTE);
        }
        boolean changesOwner = uid != -1 || gid != -1;
        if (client.has(InitFlag.HANDLE_KILLPRIV_V2)
                && !Stat.isDirectory(inode.attr().mode())
                && changesOwner) {
            change = change.with(KILL_SUIDGID);
        }
        change(task, inode, change);
    }

    /// truncate(2) and ftruncate(2).
    ///
    /// @param file the open file, or null if it was named by a path
    void truncate(Task task, GuestInode inode, LinuxFile file, long size) throws ErrnoException {
        Set<Kill> kill = killPriv.neededForData(task, inode);
        Change change = killing(task, inode, file, Change.size(size), kill);
        if (killPriv.flagged(task, false)) {
            change = change.with(KILL_SUIDGID);
        }
        if (writeBack.isOn() && size != inode.attr().size()) {
            change = change.withTimeOfWrite(writeBack.now());
        }
        sendSize(task, inode, file, change);
    }

    /// utimensat(2).
    void utimens(Task task, GuestInode inode, Timespec atime, Timespec mtime) throws ErrnoException {
        if (atime == null && mtime == null && !Permission.isOwner(task, inode.attr())) {
            Permission.require(task, inode.attr(), Permission.WRITE);
        } else {
            Permission.requireOwner(task, inode.attr());
        }
        int valid = Flag.word32(ATIME, MTIME)
                | (atime == null ? Flag.word32(ATIME_NOW) : 0)
                | (mtime == null ? Flag.word32(MTIME_NOW) : 0);
        change(
                task,
                inode,
                new Change(valid, 0, 0, 0, 0, atime == null ? Change.ANY : atime, mtime == null ? Change.ANY : mtime));
    }

    /// What has to happen before data of a file changes (`file_remove_privs` in Linux).
    void removePrivileges(Task task, LinuxFile file) throws ErrnoException {
        Set<Kill> kill = killPriv.neededForData(task, file.inode());
        if (!kill.isEmpty()) {
            // Sent even if it says nothing: with V1 and V2 an empty SETATTR is all that is left.
            send(task, file.inode(), null, killing(task, file.inode(), null, Change.NOTHING, kill));
        }
        killPriv.rememberIfClean(file.inode());
    }

    /// What is left of `O_TRUNC` once the file is open.
    ///
    /// @param atomic whether the OPEN has truncated the file already: the questions are asked all
    ///     the same, but there is no SETATTR any more that could carry the answer
    void truncateByOpen(Task task, LinuxFile file, boolean atomic) throws ErrnoException {
        GuestInode inode = file.inode();
        Set<Kill> kill = killPriv.neededForData(task, inode);
        Change change = killing(task, inode, file, Change.size(0), kill);
        if (atomic) {
            writeBack.truncate(inode, 0);
            inode.truncated(0);
            return;
        }
        // Without the handle: the file may be open for reading only.
        sendSize(task, inode, null, killPriv.flagged(task, false) ? change.with(KILL_SUIDGID) : change);
    }

    private Change killing(Task task, GuestInode inode, LinuxFile file, Change change, Set<Kill> kill)
            throws ErrnoException {
        boolean capabilities = hasCapabilities(task, inode, kill);
        Change killed = withoutSetIdBits(task, inode, file, change, kill);
        if (capabilities) {
            xattrs.removeUnchecked(task, inode, KillPriv.CAPABILITY_ATTRIBUTE);
        }
        return killed;
    }

    private boolean hasCapabilities(Task task, GuestInode inode, Set<Kill> kill) throws ErrnoException {
        return kill.contains(Kill.CAPABILITIES) && killPriv.hasCapabilities(task, inode);
    }

    private Change withoutSetIdBits(Task task, GuestInode inode, LinuxFile file, Change change, Set<Kill> kill)
            throws ErrnoException {
        boolean setId = kill.contains(Kill.SUID) || kill.contains(Kill.SGID);
        if (!setId || killPriv.serverKills()) {
            return change;
        }
        inode.refresh(FileIo.getattr(client, task, inode, file)); // the mode may have changed since
        int mode = KillPriv.without(inode.attr().mode());
        return mode == inode.attr().mode() ? change : change.withMode(mode);
    }

    private void sendSize(Task task, GuestInode inode, LinuxFile file, Change change) throws ErrnoException {
        send(task, inode, file, change);
        writeBack.truncate(inode, change.size());
    }

    /// With write-back the data goes first, and the guest says itself when it was.
    private void change(Task task, GuestInode inode, Change change) throws ErrnoException {
        writeBack.flush(inode);
        boolean ownTimes = writeBack.isOn() && Stat.isRegular(inode.attr().mode());
        send(task, inode, null, ownTimes ? change.with(CTIME) : change);
    }

    private void send(Task task, GuestInode inode, LinuxFile file, Change change) throws ErrnoException {
        Change sent = file == null ? change : change.with(FH);
        var request = new InodeRequest.Setattr(
                client.header(task, inode.nodeid()), sent.encode(file == null ? 0 : file.fh()));
        inode.refresh(client.ask(request, ATTR_OUT, AttrOut::decode).attr());
    }
}
