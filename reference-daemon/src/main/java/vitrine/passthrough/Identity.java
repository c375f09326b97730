package vitrine.passthrough;

import vitrine.fuse.Extensions;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.posix.Credentials;
import vitrine.posix.ErrnoException;
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
/// The capability is switched only when the next request needs it otherwise: a thousand writes of
/// the same kind in a row switch it once, and what they alternate with (READ, LOOKUP) does not
/// mind.
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

    /// Becomes the process that asks, to make something that belongs to it.
    ///
    /// If its supplementary groups could not come along (before Linux 6.3), the host could not
    /// judge whether it may: then the guest's word counts.
    AsCaller asCaller(InHeader header, Extensions extensions) throws ErrnoException {
        return negotiation.has(InitFlag.CREATE_SUPP_GROUP)
                ? asCallerCheckedByHost(header, extensions)
                : asCallerCheckedByGuest(header);
    }

    /// Becomes the process that asks, whose rights the guest's kernel has checked.
    AsCaller asCallerCheckedByGuest(InHeader header) throws ErrnoException {
        AsCaller scope = new AsCaller(mine());
        try {
            scope.credentials.becomeCheckedByGuest(
                    ids.users().toHost(header.uid()), ids.groups().toHost(header.gid()));
        } catch (ErrnoException e) {
            scope.close(); // it may have come halfway
            throw e;
        }
        return scope;
    }

    /// Becomes the process that asks, whose rights the host is to check.
    AsCaller asCallerCheckedByHost(InHeader header, Extensions extensions) throws ErrnoException {
        AsCaller scope = new AsCaller(mine());
        try {
            int[] groups = new int[extensions.groups().size()];
            for (int i = 0; i < groups.length; i++) {
                groups[i] = ids.groups().toHost(extensions.groups().get(i));
            }
            scope.credentials.become(
                    ids.users().toHost(header.uid()), ids.groups().toHost(header.gid()), groups);
        } catch (ErrnoException e) {
            scope.close();
            throw e;
        }
        return scope;
    }

    /// For as long as it is open, the thread is the caller; then it is the daemon again.
    static final class AsCaller implements AutoCloseable {
        private final Credentials credentials;

        private AsCaller(Credentials credentials) {
            this.credentials = credentials;
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
            credentials.daemon();
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
