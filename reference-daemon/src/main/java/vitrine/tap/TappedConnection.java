package vitrine.tap;

import java.util.Optional;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.ControlMessage;
import vitrine.trace.TraceEvent.Direction;
import vitrine.vhostuser.BackendChannel;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.wire.MalformedException;

/// A connection of vhost-user whose messages are told to a trace.
public final class TappedConnection implements Connection {

    private final Connection connection;
    private final Recorder recorder;

    /// @param connection to the front end
    /// @param recorder in the daemon's name
    public TappedConnection(Connection connection, Recorder recorder) {
        this.connection = connection;
        this.recorder = recorder;
    }

    @Override
    public Optional<Received> receive() throws MalformedException, ErrnoException {
        Optional<Received> received = connection.receive();
        received.ifPresent(
                it -> tell(recorder.as(Actor.FRONT_END), Direction.TO_BACK_END, it.message(), (Record) it.message()));
        return received;
    }

    @Override
    public void reply(Received received, Payload answer) throws ErrnoException {
        tell(recorder, Direction.TO_FRONT_END, received.message(), (Record) answer);
        connection.reply(received, answer);
    }

    @Override
    public BackendChannel channel(Syscalls sys, Fd socket) {
        return new TappedChannel(connection.channel(sys, socket), recorder);
    }

    @Override
    public void close() {
        connection.close();
    }

    private static void tell(Recorder recorder, Direction direction, FrontendMessage message, Record content) {
        String name = message.request() == null
                ? "MESSAGE_" + message.number()
                : message.request().name();
        recorder.add(new ControlMessage(recorder.stamp(Keys.NONE), direction, name, RecordFields.line(content)));
    }
}
