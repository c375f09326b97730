package vitrine.posix;

/// A point in time as Linux has it: seconds since 1970 in UTC, and nanoseconds (0 to 999,999,999).
///
/// In [Syscalls#utimens] two values of `nanos` are orders instead of times: [#NOW] and [#OMIT].
public record Timespec(long seconds, int nanos) {

    /// "Set this time to the host's present time" (`UTIME_NOW`).
    public static final Timespec NOW = new Timespec(0, (1 << 30) - 1);

    /// "Leave this time as it is" (`UTIME_OMIT`).
    public static final Timespec OMIT = new Timespec(0, (1 << 30) - 2);
}
