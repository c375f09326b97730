package vitrine.guest.kernel.dax;

import vitrine.fuse.flag.InitFlag;
import vitrine.guest.driver.DaxWindow;
import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;

/// What the mount knows of DAX.
///
/// @param window the device's; null if it has none
/// @param mode the mount option
/// @param strategy what a write does that makes a file longer
public record DaxMount(DaxWindow window, DaxMode mode, ExtendingWrite strategy) {

    /// What Linux takes; larger units could not be mapped each for itself.
    private static final int LARGEST_ALIGNMENT = Long.numberOfTrailingZeros(WindowRanges.RANGE);

    /// What the kernel offers in INIT: the unit of the window is asked for if there is one, and
    /// marks on files are listened to with `dax=inode` only.
    public KernelProfile offer(KernelProfile profile) {
        KernelProfile offer = mode == DaxMode.INODE ? profile : profile.without(InitFlag.HAS_INODE_DAX);
        return isUsed() ? offer.with(InitFlag.MAP_ALIGNMENT) : offer;
    }

    /// Refuses what no server could make good: the server is not asked then.
    ///
    /// @throws ErrnoException `EINVAL` if the mount option asks for what there is not
    public void requireWindow() throws ErrnoException {
        if (window == null && mode == DaxMode.ALWAYS) {
            throw new ErrnoException("dax=always: the device has no window", Errno.EINVAL);
        }
        if (isUsed() && window.size() < WindowRanges.RANGE) {
            throw new ErrnoException("a window of " + window.size() + " bytes: too small for Linux", Errno.EINVAL);
        }
    }

    /// The way through the window, when INIT has been answered.
    ///
    /// @throws ErrnoException `EINVAL` if the server wants larger pieces than there are
    public DaxPath path(FuseClient client, Decisions decisions) throws ErrnoException {
        if (!isUsed()) {
            return mode == DaxMode.INODE ? DaxPath.NAMED_IN_VAIN : DaxPath.NONE;
        }
        if (client.has(InitFlag.MAP_ALIGNMENT) && client.agreed().mapAlignment() > LARGEST_ALIGNMENT) {
            throw new ErrnoException(
                    "the server wants units of 2^" + client.agreed().mapAlignment(), Errno.EINVAL);
        }
        return new LinuxDax(client, this, decisions);
    }

    private boolean isUsed() {
        return window != null && mode != DaxMode.NEVER;
    }
}
