package vitrine.visualizer.timeline;

/// Where the events of one request are, and what is asked of it all the time; or of a system call
/// of the guest that needed no request.
///
/// Times are nanoseconds on the clock of the run; [#NEVER] for what did not happen or was not seen.
///
/// @param number counts from 0, in the order in which they begin
/// @param opcode empty if there was no request
/// @param call the number of the guest's system call, 0 where no event tells
/// @param begin the first event that counts
/// @param end the last event
/// @param queued when the driver queued it
/// @param popped when the device took it
/// @param replied when the daemon had the answer
/// @param pushed when the device gave it back
/// @param error the errno of the reply; of the system call, where there was no request
public record Story(
        int number,
        String opcode,
        long unique,
        int queue,
        int head,
        long call,
        int begin,
        int end,
        long queued,
        long popped,
        long replied,
        long pushed,
        int error) {

    /// No time.
    public static final long NEVER = Long.MIN_VALUE;

    /// When it began to wait: when it was queued, or, where nobody saw that, when it was taken.
    public long waits() {
        return queued == NEVER ? popped : queued;
    }

    /// Whether there was a request at all.
    public boolean isRequest() {
        return !opcode.isEmpty();
    }
}
