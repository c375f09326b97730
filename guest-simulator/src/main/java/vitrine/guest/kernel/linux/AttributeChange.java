package vitrine.guest.kernel.linux;

import static vitrine.fuse.flag.SetattrFlag.ATIME;
import static vitrine.fuse.flag.SetattrFlag.ATIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.CTIME;
import static vitrine.fuse.flag.SetattrFlag.FH;
import static vitrine.fuse.flag.SetattrFlag.KILL_SUIDGID;
import static vitrine.fuse.flag.SetattrFlag.MTIME;
import static vitrine.fuse.flag.SetattrFlag.MTIME_NOW;

import java.util.Set;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.guest.kernel.rule.Killing.Kill;
import vitrine.posix.ErrnoException;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;

/// SETATTR: mode, owner, size, times, and the killing of set-ID bits that comes with them.
final class AttributeChange {

    private static final int ATTR_OUT = (int) AttrOut.LAYOUT.byteSize();

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;
    private final KillPriv killPriv;
    private final ExtendedAttributes xattrs;
    private final WriteBack writeBack;

    AttributeChange(Mount mount, Attributes attributes, ExtendedAttributes xattrs, WriteBack writeBack) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
        this.killPriv = new KillPriv(mount, xattrs);
        this.xattrs = xattrs;
        this.writeBack = writeBack;
    }

    KillPriv killPriv() {
        return killPriv;
    }

    /// chmod(2), by an owner. Who is not in the file's group cannot give it a set-group-ID bit.
    void chmod(Task task, Dentry dentry, int mode) throws ErrnoException {
        GuestInode inode = dentry.inode();
        Permission.requireOwner(task, inode.attr());
        int type = inode.attr().mode() & Stat.S_IFMT;
        change(
                task,
                inode,
                Change.mode(type | allowed(task, mode & 07777, inode.attr().gid())));
        if (Stat.isDirectory(type)) {
            mount.names().expire(dentry); // who may look at what is below may be another
        }
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
        inode.lock().lock();
        try {
            Set<Kill> kill = killPriv.neededForData(task, inode);
            Change change = killing(task, inode, file, Change.size(size), kill);
            if (killPriv.flagged(task, false)) {
                change = change.with(KILL_SUIDGID);
            }
            sendSize(task, inode, file, change);
        } finally {
            inode.lock().unlock();
        }
    }

    /// utimensat(2).
    void utimens(Task task, GuestInode inode, Timespec atime, Timespec mtime) throws ErrnoException {
        if (atime == null && mtime == null && !Permission.isOwner(task, inode.attr())) {
            attributes.require(task, inode, Permission.WRITE);
        } else {
            Permission.requireOwner(task, inode.attr());
        }
        int valid = Flag.word32(ATIME, MTIME)
                | (atime == null ? Flag.word32(ATIME_NOW) : 0)
                | (mtime == null ? Flag.word32(MTIME_NOW) : 0);
        Timespec any = Change.ANY;
        change(task, inode, new Change(valid, 0, 0, 0, 0, atime == null ? any : atime, mtime == null ? any : mtime));
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
        inode.lock().lock();
        try {
            Set<Kill> kill = killPriv.neededForData(task, inode);
            Change change = killing(task, inode, file, Change.size(0), kill);
            if (!atomic) {
                // Without the handle: the file may be open for reading only.
                sendSize(task, inode, null, killPriv.flagged(task, false) ? change.with(KILL_SUIDGID) : change);
            }
        } finally {
            inode.lock().unlock();
        }
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
        attributes.ask(task, inode, file); // the mode may have changed since
        int mode = KillPriv.without(inode.attr().mode());
        return mode == inode.attr().mode() ? change : change.withMode(mode);
    }

    private void sendSize(Task task, GuestInode inode, LinuxFile file, Change change) throws ErrnoException {
        writeBack.flush(task, inode, Occasion.TRUNCATE);
        Change sent = mount.terms().writeBack() && change.size() != inode.size()
                ? change.withTimeOfWrite(mount.terms().clock().now())
                : change;
        inode.sizeChanging(true);
        try {
            send(task, inode, file, sent);
        } finally {
            inode.sizeChanging(false);
        }
    }

    /// With write-back the data goes first, and the guest says itself when it was.
    private void change(Task task, GuestInode inode, Change change) throws ErrnoException {
        inode.lock().lock();
        try {
            if (mount.terms().writeBack() && inode.isRegular()) {
                writeBack.flush(task, inode, Occasion.CHANGE);
                send(
                        task,
                        inode,
                        null,
                        change.withOwnTimes(mount.terms().clock().now()));
            } else {
                send(task, inode, null, change);
            }
        } finally {
            inode.lock().unlock();
        }
    }

    private void send(Task task, GuestInode inode, LinuxFile file, Change change) throws ErrnoException {
        Change sent = file == null ? change : change.with(FH);
        var request = new InodeRequest.Setattr(
                client.header(task, inode.nodeid()), sent.encode(file == null ? 0 : file.fh()));
        AttrOut out = client.ask(request, ATTR_OUT, AttrOut::decode);
        Attributes.requireSameType(inode, out.attr());
        if (mount.terms().writeBack() && inode.isRegular()) {
            boolean setsModified = MTIME.in(sent.valid());
            inode.stamped(setsModified ? sent.mtime() : null, CTIME.in(sent.valid()) ? sent.ctime() : null);
        }
        inode.changedTo(out, sent.changesSize());
    }
}
