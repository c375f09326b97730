package vitrine.guest.kernel.cache;

import java.util.concurrent.atomic.AtomicLong;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.kernel.GuestClock;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.posix.ErrnoException;

/// Under which terms things are remembered: the guest's time, what was agreed on, and a count of
/// all changes (`attr_version` in Linux) by which a reply is known to be late.
///
/// @param client knows what was agreed on
/// @param changes goes up with each change of any file's attributes
/// @param laundry writes what is dirty before it is dropped
public record Terms(FuseClient client, GuestClock clock, Decisions decisions, AtomicLong changes, Laundry laundry) {

    private static final long NEVER = Long.MIN_VALUE;

    /// Writes dirty pages.
    @FunctionalInterface
    public interface Laundry {

        /// Writes all of a file.
        void wash(GuestInode inode) throws ErrnoException;
    }

    /// Whether data may wait in the guest; then size and times are the guest's own.
    public boolean writeBack() {
        return client.has(InitFlag.WRITEBACK_CACHE);
    }

    boolean autoInval() {
        return client.has(InitFlag.AUTO_INVAL_DATA);
    }

    boolean explicitInval() {
        return !autoInval() && client.has(InitFlag.EXPLICIT_INVAL_DATA);
    }

    /// The kernel believes nothing for longer than a call.
    public boolean noMemory() {
        return client.profile().has(Habit.NO_MEMORY);
    }

    /// Until when something is valid that is so for a time from now.
    long until(long seconds, int nanos) {
        boolean forNoTime = seconds == 0 && nanos == 0 || noMemory();
        long most = (Long.MAX_VALUE - clock.nanos()) / 1_000_000_000L - 1;
        long time = Long.compareUnsigned(seconds, most) > 0 ? most : seconds;
        return forNoTime ? NEVER : clock.nanos() + time * 1_000_000_000L + Integer.toUnsignedLong(nanos);
    }

    boolean expired(long until) {
        return until < clock.nanos();
    }

    static boolean isNever(long until) {
        return until == NEVER;
    }

    static long never() {
        return NEVER;
    }
}
