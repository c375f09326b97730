package vitrine.passthrough;

import vitrine.fuse.Extensions;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.posix.Credentials;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;

/// As whom a request is served: nearly always as the daemon, because the guest's kernel has checked
/// the permissions already.
///
/// Two things the host kernel can do only if it is told who asks:
///
/// - A new file belongs to the guest's process, and may keep its set-group-ID bit only if that is a
///   member of the group. So what makes a file runs as the caller, and only that.
/// - A write clears set-ID bits and capabilities unless the writer has `CAP_FSETID`. Clearing them
///   with a `chmod` of our own would race with other writers; the host kernel does both under its
///   lock. So a write for a caller without `CAP_FSETID` runs without it.
///
/// | what the host is asked for | as whom |
/// |---|---|
/// | to make something, a whiteout of RENAME2 too | the caller |
/// | `access`, `chown(-1, -1)`, chattr(1), to open what CREATE finds in its place | the caller |
/// | a write, truncation or ACL by who has no `CAP_FSETID` | without it, in the caller's group |
/// | the same by others; a new mode or owner; FALLOCATE and its like | the daemon, with it |
/// | all else: to find, to look, to read, to remove | the daemon, with or without it |
///
/// A thread is switched only when the next request needs it otherwise: a thousand writes of the
/// same kind in a row switch it once, and what they alternate with (READ, LOOKUP) does not mind.
/// After each file that it makes it comes back to the daemon's uid; what it keeps of the caller,
/// and why nobody notices, is in [Credentials].
final class Identity {

    /// What each thread is at this moment. Of the thread, not of this object: another share that is
    /// served by the same thread has to know.
    private static final ThreadLocal<Credentials> OF_THREAD = new ThreadLocal<>();

    private static final int UNKNOWN = -1; // fuse.h: FUSE_INVALID_UIDGID
    private static final int NOBODY = 65534; // in whose group no writer is

    private final Syscalls sys;
    private final Negotiation negotiation;
    private final IdTranslation ids;

    /// @param ids as whom on the host a process of the guest's is known
    Identity(Syscalls sys, Negotiation negotiation, IdTranslation ids) {
        this.sys = sys;
        this.negotiation = negotiation;
        this.ids = ids;
    }

    /// Makes sure that the thread is the daemon: if it could not come back from the last request
    /// (the kernel had no memory), it has to by now, or this one is not served.
    void begin() throws ErrnoException {
        Credentials credentials = OF_THREAD.get();
        if (credentials != null && credentials.areSomebodyElses()) {
            credentials.daemon();
        }
    }

    /// Lets a change to a file keep its set-ID bits: the caller has `CAP_FSETID`, or its kernel has
    /// cleared them.
    void mayKeepSetIdBits() throws ErrnoException {
        mine().daemon();
    }

    /// Lets a change to a file keep its set-ID bits or not.
    ///
    /// @param mayKeep whether the caller has `CAP_FSETID`, as far as the request tells
    void mayKeepSetIdBits(InHeader caller, boolean mayKeep) throws ErrnoException {
        if (mayKeep) {
            mine().daemon();
        } else {
            mine().withoutFsetid(isTold(caller) ? groupOf(caller) : NOBODY);
        }
    }

    private int groupOf(InHeader caller) {
        try {
            return ids.groups().toHost(caller.gid());
        } catch (ErrnoException _) {
            return NOBODY; // a group that no file has
        }
    }

    /// Whether the request says who asks. A guest that may map identities (fuse.h:
    /// FUSE_ALLOW_IDMAP, Linux 6.12) does so only where something is made, and says -1 elsewhere.
    boolean isTold(InHeader header) {
        return header.uid() != UNKNOWN || header.gid() != UNKNOWN || !negotiation.has(InitFlag.ALLOW_IDMAP);
    }

    /// What makes something.
    interface Making {
        /// @return a descriptor of it; null if it was not opened
        Fd make() throws ErrnoException;
    }

    /// Makes something as the process that asks, so that it belongs to it.
    Fd make(InHeader maker, Extensions extensions, Making making) throws ErrnoException {
        if (!negotiation.has(InitFlag.CREATE_SUPP_GROUP)) {
            return makeCheckedByGuest(maker, making);
        }
        try (var _ = asCaller(maker, extensions)) {
            return making.make();
        }
    }

    /// The same for a process whose supplementary groups could not come along (before Linux 6.3).
    /// What the host refuses it may be allowed by one of them: then the guest's word counts, whose
    /// kernel has checked that.
    Fd makeCheckedByGuest(InHeader maker, Making making) throws ErrnoException {
        try (AsCaller caller = asCaller(maker, Extensions.NONE)) {
            try {
                return making.make();
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EACCES) {
                    throw e;
                }
            }
            caller.overrule();
            return making.make();
        }
    }

    /// Becomes the process that asks, whose rights the host is to check.
    AsCaller asCaller(InHeader header, Extensions extensions) throws ErrnoException {
        int uid = ids.users().toHost(header.uid());
        int gid = ids.groups().toHost(header.gid());
        int[] groups = new int[extensions.groups().size()];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = ids.groups().toHost(extensions.groups().get(i));
        }
        AsCaller scope = new AsCaller(mine(), uid, gid);
        try {
            scope.credentials.become(uid, gid, groups);
        } catch (ErrnoException e) {
            scope.close(); // it may have come halfway
            throw e;
        }
        return scope;
    }

    /// For as long as it is open, the thread is the caller; then it is the daemon again.
    static final class AsCaller implements AutoCloseable {
        private final Credentials credentials;
        private final int uid;
        private final int gid;

        private AsCaller(Credentials credentials, int uid, int gid) {
            this.credentials = credentials;
            this.uid = uid;
            this.gid = gid;
        }

        private void overrule() throws ErrnoException {
            credentials.becomeOverruling(uid, gid);
        }

        @Override
        public void close() throws ErrnoException {
            credentials.daemon();
        }
    }

    /// Leaves the calling thread with all the rights it came with.
    void restore() throws ErrnoException {
        Credentials credentials = OF_THREAD.get();
        if (credentials != null) {
            credentials.restore();
        }
    }

    private Credentials mine() throws ErrnoException {
        Credentials credentials = OF_THREAD.get();
        if (credentials == null) {
            credentials = new Credentials(sys);
            OF_THREAD.set(credentials);
        }
        return credentials;
    }
}
