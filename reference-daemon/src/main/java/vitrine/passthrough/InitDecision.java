package vitrine.passthrough;

import java.util.List;
import java.util.stream.Stream;
import vitrine.fuse.flag.InitFlag;

/// What becomes of a flag that the guest offers in INIT.
///
/// A flag that is taken is a promise of this daemon to the guest's kernel, which then leaves
/// something out that it would have done itself. So a flag is taken only if its part is done.
/// [#on] has a line for each; `docs/protocol.md` is made from it.
public sealed interface InitDecision {

    /// Why so.
    String because();

    /// The flag is taken from every guest that offers it.
    record Taken(String because) implements InitDecision {}

    /// The flag is taken if a feature is on.
    ///
    /// @param together what the guest has to offer as well
    record TakenWith(Feature feature, List<InitFlag> together, String because) implements InitDecision {

        TakenWith(Feature feature, String because) {
            this(feature, List.of(), because);
        }
    }

    /// The flag is taken if the guest has a DAX window.
    record TakenWithWindow(String because) implements InitDecision {}

    /// The flag is left: the guest does its part alone, or does without.
    record Left(String because) implements InitDecision {}

    /// The decision on a flag, one for each that there is.
    static InitDecision on(InitFlag flag) {
        return switch (flag) {
            case ASYNC_READ, ASYNC_DIO, PARALLEL_DIROPS, BIG_WRITES, MAX_PAGES ->
                new Taken("requests are independent of each other, whatever their order, number and size");
            case AUTO_INVAL_DATA -> new Taken("the host's mtime and size are the truth");
            case EXPORT_SUPPORT ->
                new Taken("LOOKUP of . and .. works, also for nodeids that were forgotten: see ForgottenFiles");
            case INIT_EXT -> new Taken("flags2 is read and answered");
            case HAS_IOCTL_DIR -> new Taken("lsattr(1) and chattr(1) work on directories");
            case CREATE_SUPP_GROUP -> new Taken("what is made is made with this group, and the host checks");

            case DO_READDIRPLUS, READDIRPLUS_AUTO ->
                new TakenWith(Feature.READDIRPLUS, "it pays where attributes are believed");
            case WRITEBACK_CACHE -> new TakenWith(Feature.WRITEBACK, "what the guest delays is lost if it dies");
            case SUBMOUNTS -> new TakenWith(Feature.ANNOUNCE_SUBMOUNTS, "a mount in the share is one in the guest");
            case ALLOW_IDMAP ->
                new TakenWith(
                        Feature.IDMAPPED_MOUNTS,
                        "Linux demands that the guest checks permissions (default_permissions), else each call is"
                                + " ECONNREFUSED: virtiofs always does; who asks is said where something is made");
            case POSIX_LOCKS -> new TakenWith(Feature.POSIX_LOCKS, "without it they hold within the guest");
            case FLOCK_LOCKS -> new TakenWith(Feature.FLOCKS, "without it they hold within the guest");
            case DIRECT_IO_ALLOW_MMAP -> new TakenWith(Feature.ALLOW_MMAP, "the pages that are mapped are cached");

            case HANDLE_KILLPRIV_V2 -> new TakenWith(Feature.KILLPRIV_V2, "requests say whose set-ID bits must go");
            case ATOMIC_O_TRUNC ->
                new TakenWith(
                        Feature.KILLPRIV_V2,
                        List.of(InitFlag.HANDLE_KILLPRIV_V2),
                        "an OPEN that truncates has to say whether the caller may keep set-ID bits");
            case HANDLE_KILLPRIV ->
                new Left("we would have to clear at every write, for no request says who may keep set-ID bits: root's"
                        + " programs would lose them; the guest, which knows, sets the mode itself");

            case POSIX_ACL, DONT_MASK, SETXATTR_EXT ->
                new TakenWith(
                        Feature.POSIX_ACL,
                        othersThan(flag, InitFlag.POSIX_ACL, InitFlag.DONT_MASK, InitFlag.SETXATTR_EXT),
                        "ACLs take all three: the guest checks them, leaves umasks to us, and says who sets one");
            case SECURITY_CTX -> new TakenWith(Feature.SECURITY_LABEL, "what is made has its label from the start");
            case MAP_ALIGNMENT -> new TakenWithWindow("pieces of files begin at pages");
            case HAS_INODE_DAX -> new TakenWithWindow("attributes say which files are to be used through it");
            case NO_OPEN_SUPPORT, NO_OPENDIR_SUPPORT -> new Left("OPEN and OPENDIR are answered");
            case NO_EXPORT_SUPPORT -> new Left("the opposite of EXPORT_SUPPORT");
            case CACHE_SYMLINKS -> new Left("a target may change on the host, and nothing would tell the guest");

            case EXPLICIT_INVAL_DATA, HAS_EXPIRE_ONLY -> new Left("Linux hears no notifications over virtio");
            case SPLICE_WRITE, SPLICE_MOVE, SPLICE_READ, ABORT_ERROR, PASSTHROUGH, HAS_RESEND, OVER_IO_URING ->
                new Left("of /dev/fuse, with no meaning over virtio");
            case REQUEST_TIMEOUT -> new Left("a slow disk is no reason to end the guest's file system");
            case FILE_OPS, INIT_RESERVED -> new Left("no kernel gives it a meaning");
        };
    }

    /// These flags without one of them.
    private static List<InitFlag> othersThan(InitFlag flag, InitFlag... flags) {
        return Stream.of(flags).filter(other -> other != flag).toList();
    }
}
