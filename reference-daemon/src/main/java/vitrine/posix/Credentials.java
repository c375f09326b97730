package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static vitrine.posix.Capabilities.CAP_CHOWN;
import static vitrine.posix.Capabilities.CAP_DAC_OVERRIDE;
import static vitrine.posix.Capabilities.CAP_FSETID;
import static vitrine.posix.Capabilities.CAP_SETGID;
import static vitrine.posix.Capabilities.CAP_SETUID;
import static vitrine.posix.Syscalls.checked;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// As whom the calling thread makes its system calls; changed only when it has to be.
///
/// | state | uid | gid, groups | effective capabilities |
/// |---|---|---|---|
/// | [#daemon] | the daemon's | whosever they were last | all that the daemon was started with |
/// | [#withoutFsetid] | the daemon's | the caller's gid, no groups | the same but `CAP_FSETID` |
/// | [#become] | the caller's | exactly the given ones | none (uid 0: the daemon's) |
/// | [#becomeOverruling] | the caller's | gid, no groups | `CAP_DAC_OVERRIDE` (uid 0: same) |
///
/// The last caller's groups may stay with the daemon because Linux looks at groups only where a
/// capability is missing: at permissions (`CAP_DAC_OVERRIDE`), at who may give a file to a group
/// (`CAP_CHOWN`) and at who may keep a set-group-ID bit (`CAP_FSETID`). So one user who makes file
/// after file costs two calls for each, to become the user and to come back. A daemon that lacks
/// one of them gives the groups back each time, and so does one in a user namespace, where
/// capabilities do not count for a file whose owner has no id there. (A server behind the host's
/// file system is told the groups: one that takes root for nobody, as NFS can, sees the last
/// caller's.)
///
/// On Linux identity belongs to a *thread*. That is why the raw system calls are used: glibc's
/// `setresuid` changes all threads, and while one served a request as some user of the guest's, the
/// others would lose the rights that they are just using. So an object of this class belongs to the
/// thread that made it, which has to be a platform thread.
///
/// Of the uids only the *effective* one changes: the real and the saved one stay the daemon's,
/// which is the way back. The kernel itself clears the effective capabilities when the effective
/// uid leaves 0, and fills them up when it returns (capabilities(7)). Of the gids only the one *for
/// files* changes (setfsgid(2)): a FUSE file system of the host's that root has mounted for itself
/// serves nobody whose other ids are not root's.
///
/// Without `CAP_SETUID` and `CAP_SETGID`, that is unless started by root, no identity but the
/// daemon's own can be had: everything else is `EPERM`, and supplementary groups stay as they are.
public final class Credentials {

    private static final int UNCHANGED = -1;
    private static final int[] NO_GROUPS = {};
    private static final long FIRST_USER_NAMESPACE = 0xEFFFFFFDL; // linux/nsfs.h: USER_NS_INIT_INO
    private static final long IN_PLACE_OF_GROUPS = CAP_CHOWN | CAP_DAC_OVERRIDE | CAP_FSETID;

    private final Thread owner = Thread.currentThread();
    private final Libc libc;
    private final Capabilities capabilities;
    private final int daemonUid;
    private final int daemonGid;
    private final long daemonEffective;
    private final boolean privileged;
    private final boolean groupsCount;

    // What the thread has now.
    private int uid;
    private int gid;
    private int[] groups = NO_GROUPS;
    private long effective;

    /// Finds out as whom the calling thread runs, and gives up its supplementary groups: with
    /// one of root's left, files would keep a set-group-ID bit that their owner could not have
    /// given them (CVE-2022-0358).
    public Credentials(Syscalls sys) throws ErrnoException {
        if (owner.isVirtual()) {
            throw new IllegalStateException("a virtual thread has no identity of its own");
        }
        libc = sys.libc();
        capabilities = new Capabilities(libc);
        capabilities.get();
        daemonEffective = capabilities.effective();
        effective = daemonEffective;
        daemonUid = sys.effectiveUser();
        daemonGid = sys.effectiveGroup();
        uid = daemonUid;
        gid = groupForFiles(); // a new thread has that of the thread that started it
        privileged = has(CAP_SETUID | CAP_SETGID) && dropGroups();
        groupsCount = !has(IN_PLACE_OF_GROUPS) || isInUserNamespace(sys);
    }

    /// Makes the calling thread, and those that it starts later, root of the user namespace that it
    /// is in. One whose namespace has no root stays who it is.
    ///
    /// @throws ErrnoException `EPERM` if it may not
    public static void becomeRoot(Syscalls sys) throws ErrnoException {
        for (SyscallNumber call : List.of(SyscallNumber.SETRESGID, SyscallNumber.SETRESUID)) {
            long result = sys.libc().syscall(call.number, 0, 0, 0);
            if (result == -1 && Libc.lastErrno() != Errno.EINVAL) {
                checked(call.name().toLowerCase(Locale.ROOT), result);
            }
        }
    }

    /// Whether other identities than the daemon's own can be had.
    public boolean privileged() {
        return privileged;
    }

    /// Whether the thread has another uid than the daemon.
    public boolean areSomebodyElses() {
        return uid != daemonUid;
    }

    /// The daemon's own uid and rights: for everything that the guest's kernel has permitted
    /// already and that makes no file.
    public void daemon() throws ErrnoException {
        if (groupsCount) {
            restore();
        } else {
            change(daemonUid, gid, groups, daemonEffective);
        }
    }

    /// The thread as it was found, but for its supplementary groups, which are gone.
    public void restore() throws ErrnoException {
        change(daemonUid, daemonGid, NO_GROUPS, daemonEffective);
    }

    /// The daemon's own uid, but with writes and truncations clearing set-ID bits as they do for
    /// anybody without `CAP_FSETID` (fuse.h: `FUSE_WRITE_KILL_SUIDGID`).
    ///
    /// @param callerGid decides whether a set-group-ID bit without group execution stays: it does
    ///     in the writer's own group, and the daemon's own would be anybody's
    public void withoutFsetid(int callerGid) throws ErrnoException {
        change(daemonUid, privileged ? callerGid : daemonGid, NO_GROUPS, daemonEffective & ~CAP_FSETID);
    }

    /// The caller's identity: what is made belongs to them, and the host's permissions decide
    /// whether they may.
    ///
    /// @param supplementary the caller's further groups, all that matter (fuse.h:
    ///     `FUSE_CREATE_SUPP_GROUP`); may be empty
    /// @throws ErrnoException `EPERM` if not [#privileged]; `EOVERFLOW` for the ids -1, which no
    ///     file can have
    public void become(int uid, int gid, int[] supplementary) throws ErrnoException {
        change(uid, gid, supplementary, uid == 0 ? daemonEffective : 0);
    }

    /// The caller's identity where their supplementary groups are not known: what is made belongs
    /// to them, but whether they may has been decided by the guest's kernel alone, which knows.
    ///
    /// @throws ErrnoException as [#become]
    public void becomeOverruling(int uid, int gid) throws ErrnoException {
        change(uid, gid, NO_GROUPS, daemonEffective & (uid == 0 ? -1 : CAP_DAC_OVERRIDE));
    }

    private void change(int newUid, int newGid, int[] newGroups, long newEffective) throws ErrnoException {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("these are the credentials of " + owner);
        }
        if (!privileged) {
            changeUnprivileged(newUid, newGid, newEffective);
            return;
        }
        boolean sameGroups = Arrays.equals(groups, newGroups);
        if (uid != newUid || gid != newGid || !sameGroups) {
            if (newUid == UNCHANGED || newGid == UNCHANGED) {
                throw new ErrnoException("setresuid", Errno.EOVERFLOW);
            }
            setUid(daemonUid); // only from here can the rest be changed
            setGid(newGid);
            if (!sameGroups) {
                setGroups(newGroups);
            }
            setUid(newUid); // last: from there nothing else can be changed
        }
        setEffective(newEffective);
    }

    /// Nobody's identity but our own is to be had; and what we are allowed, we are allowed as
    /// ourselves.
    private void changeUnprivileged(int newUid, int newGid, long newEffective) throws ErrnoException {
        if (newUid != daemonUid || newGid != daemonGid) {
            throw new ErrnoException("setresuid", Errno.EPERM);
        }
        setEffective(newEffective & daemonEffective);
    }

    private void setUid(int newUid) throws ErrnoException {
        if (uid == newUid) {
            return;
        }
        if (uid == daemonUid) {
            needs(CAP_SETUID);
        }
        checked("setresuid", libc.syscall(SyscallNumber.SETRESUID.number, UNCHANGED, newUid, UNCHANGED));
        if (uid == 0) {
            effective = 0;
        } else if (newUid == 0) {
            effective = capabilities.permitted();
        }
        uid = newUid;
    }

    /// setfsgid(2) does not say whether it did: it tells the one before. A wrong gid does nothing,
    /// and tells the one that is.
    private void setGid(int newGid) throws ErrnoException {
        if (gid == newGid) {
            return;
        }
        needs(CAP_SETGID);
        libc.syscall(SyscallNumber.SETFSGID.number, newGid, 0, 0);
        if (groupForFiles() != newGid) {
            throw new ErrnoException("setfsgid", Errno.EINVAL);
        }
        gid = newGid;
    }

    private int groupForFiles() {
        return (int) libc.syscall(SyscallNumber.SETFSGID.number, UNCHANGED, 0, 0);
    }

    private void setGroups(int[] newGroups) throws ErrnoException {
        needs(CAP_SETGID);
        MemorySegment list = Scratch.mine().value();
        if (newGroups.length > list.byteSize() / Integer.BYTES) {
            throw new ErrnoException("setgroups", Errno.EINVAL);
        }
        MemorySegment.copy(newGroups, 0, list, JAVA_INT, 0, newGroups.length);
        checked("setgroups", libc.syscall(SyscallNumber.SETGROUPS.number, newGroups.length, list.address(), 0));
        groups = newGroups.clone();
    }

    private void needs(long capability) throws ErrnoException {
        if ((effective & capability) == 0) {
            setEffective(daemonEffective);
        }
    }

    private void setEffective(long newEffective) throws ErrnoException {
        if (effective != newEffective) {
            capabilities.setEffective(newEffective);
            effective = newEffective;
        }
    }

    private boolean has(long wanted) {
        return (daemonEffective & wanted) == wanted;
    }

    /// Whether that was allowed: in a user namespace with a single id it is not, and then there is
    /// nobody else to become either.
    private boolean dropGroups() {
        long held = libc.syscall(SyscallNumber.GETGROUPS.number, 0, 0, 0);
        return held == 0 || libc.syscall(SyscallNumber.SETGROUPS.number, 0, 0, 0) == 0;
    }

    /// Whether there are ids that this process does not know. It is if nobody can tell.
    private static boolean isInUserNamespace(Syscalls sys) {
        try (Fd namespace = sys.openPath(Scratch.fdDirectory() + "../ns/user", Fcntl.O_PATH)) {
            return sys.statx(namespace, Stat.STATX_INO).ino() != FIRST_USER_NAMESPACE;
        } catch (ErrnoException _) {
            return true;
        }
    }
}
