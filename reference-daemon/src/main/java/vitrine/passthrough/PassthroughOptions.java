package vitrine.passthrough;

import java.time.Duration;

/// What the person who starts the daemon decides about the file system.
///
/// @param cache how far the guest may trust what it has seen
/// @param timeout for how long it may believe names and attributes; [CachePolicy#timeout] unless
///     set
/// @param xattr whether there are extended attributes; without, the guest stops to ask for them,
///     which saves a request for each small write of an agreement without `killprivV2`
/// @param killprivV2 whether HANDLE_KILLPRIV_V2 is taken if the guest offers it, see [Negotiation]
/// @param writeback whether the guest may delay writes: fast, and lost if the guest dies
/// @param readdirplus whether attributes may come along with a directory listing
/// @param allowDirectIo whether `O_DIRECT` in the guest passes by the host's page cache too;
///     without, only the guest's is passed by
/// @param allowMmap whether a file may be mapped shared although its contents are not cached
///     (`NEVER`, `METADATA`): the mapped pages are
/// @param announceSubmounts whether a file system that is mounted inside the share is one of its
///     own in the guest too, so that two files never seem to have the same inode number
/// @param posixLocks whether locks of fcntl(2) hold against other guests and the host; without,
///     they cost no request and hold among the processes of one guest
/// @param flocks the same for flock(2)
public record PassthroughOptions(
        CachePolicy cache,
        Duration timeout,
        boolean xattr,
        boolean killprivV2,
        boolean writeback,
        boolean readdirplus,
        boolean allowDirectIo,
        boolean allowMmap,
        boolean announceSubmounts,
        boolean posixLocks,
        boolean flocks) {

    /// What holds unless something else is said.
    public static final PassthroughOptions DEFAULT = new PassthroughOptions(
            CachePolicy.AUTO, CachePolicy.AUTO.timeout(), false, true, false, true, false, false, true, false, false);

    /// The same with another cache policy, and the timeout and the readdirplus that go with it.
    public PassthroughOptions withCache(CachePolicy policy) {
        return new PassthroughOptions(
                policy,
                policy.timeout(),
                xattr,
                killprivV2,
                writeback,
                policy.paysReaddirplus(),
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with another timeout for names and attributes.
    ///
    /// @param limit not negative
    public PassthroughOptions withTimeout(Duration limit) {
        return new PassthroughOptions(
                cache,
                limit,
                xattr,
                killprivV2,
                writeback,
                readdirplus,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without extended attributes.
    public PassthroughOptions withXattr(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                on,
                killprivV2,
                writeback,
                readdirplus,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without HANDLE_KILLPRIV_V2.
    public PassthroughOptions withKillprivV2(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                on,
                writeback,
                readdirplus,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without delayed writes.
    public PassthroughOptions withWriteback(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                on,
                readdirplus,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without READDIRPLUS, whatever suits the cache policy.
    public PassthroughOptions withReaddirplus(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                writeback,
                on,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without `O_DIRECT` on the host.
    public PassthroughOptions withAllowDirectIo(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                writeback,
                readdirplus,
                on,
                allowMmap,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without shared mappings of files whose contents are not cached.
    public PassthroughOptions withAllowMmap(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                writeback,
                readdirplus,
                allowDirectIo,
                on,
                announceSubmounts,
                posixLocks,
                flocks);
    }

    /// The same with or without file systems of their own for what is mounted inside the share.
    public PassthroughOptions withAnnounceSubmounts(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                writeback,
                readdirplus,
                allowDirectIo,
                allowMmap,
                on,
                posixLocks,
                flocks);
    }

    /// The same with or without locks of fcntl(2) that hold outside of the guest, too.
    public PassthroughOptions withPosixLocks(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                writeback,
                readdirplus,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                on,
                flocks);
    }

    /// The same with or without locks of flock(2) that hold outside of the guest, too.
    public PassthroughOptions withFlocks(boolean on) {
        return new PassthroughOptions(
                cache,
                timeout,
                xattr,
                killprivV2,
                writeback,
                readdirplus,
                allowDirectIo,
                allowMmap,
                announceSubmounts,
                posixLocks,
                on);
    }
}
