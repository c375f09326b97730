package vitrine.guest.qemu;

import java.time.Duration;

/// How a command in the guest ended.
///
/// @param exitCode     the command's own exit code, 0 to 255; 128 + n when signal n ended it
/// @param output       what it wrote to its standard output, as UTF-8; empty if that was streamed
/// @param errors       the same of its standard error
/// @param mountedAfter time from the start of QEMU until the guest had mounted the share
/// @param duration     time from the start of QEMU until it had ended
/// @param daemonStatus exit status of the daemon after the guest had left, or -1 if it stayed and
///                     had to be ended
public record Result(
        int exitCode, String output, String errors, Duration mountedAfter, Duration duration, int daemonStatus) {}
