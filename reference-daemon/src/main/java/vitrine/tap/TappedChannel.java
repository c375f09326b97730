package vitrine.tap;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import vitrine.posix.ErrnoException;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.ControlMessage;
import vitrine.trace.TraceEvent.Direction;
import vitrine.vhostuser.BackendChannel;
import vitrine.vhostuser.message.BackendMessage;
import vitrine.wire.MalformedException;

/// The back end's own socket of vhost-user, whose messages are told to a trace.
final class TappedChannel implements BackendChannel {

    private final BackendChannel channel;
    private final Recorder recorder;
    private final Queue<String> unanswered = new ArrayDeque<>();

    /// @param recorder in the daemon's name
    TappedChannel(BackendChannel channel, Recorder recorder) {
        this.channel = channel;
        this.recorder = recorder;
    }

    @Override
    public void send(BackendMessage message) throws ErrnoException {
        String name = switch (message) {
            case BackendMessage.Map _ -> "SHMEM_MAP";
            case BackendMessage.Unmap _ -> "SHMEM_UNMAP";
        };
        synchronized (unanswered) {
            unanswered.add(name);
        }
        tell(recorder, Direction.TO_FRONT_END, name, RecordFields.line((Record) message));
        channel.send(message);
    }

    @Override
    public Optional<Long> answer() throws MalformedException, ErrnoException {
        Optional<Long> answer = channel.answer();
        if (answer.isPresent()) {
            String name;
            synchronized (unanswered) {
                name = unanswered.poll();
            }
            tell(recorder.as(Actor.FRONT_END), Direction.TO_BACK_END, name, "value=" + answer.get());
        }
        return answer;
    }

    @Override
    public void shutdown() {
        channel.shutdown();
    }

    @Override
    public void close() {
        channel.close();
    }

    private static void tell(Recorder recorder, Direction direction, String name, String summary) {
        recorder.add(new ControlMessage(recorder.stamp(Keys.NONE), direction, name, summary));
    }
}
