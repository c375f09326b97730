package vitrine.vhostuser;

import java.util.Optional;
import vitrine.memory.GuestMemory;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.ConfigMessage;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.MigrationMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.WindowPayload;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// One connection from its first message to its last: obeys the front end.
///
/// Four things can come of a message, and they must not be mixed up, because QEMU waits for an
/// answer without any limit of time, and takes a second answer for that to its next question:
///
/// | message | what the front end hears |
/// |---|---|
/// | has an answer of its own | that answer, once, whether an acknowledgement is asked for or not |
/// | obeyed | zero, if it asked for an acknowledgement |
/// | refused, or not known | non-zero if it asked; else nothing, and it is logged |
/// | no message at all | the end of the connection |
public final class Backend implements AutoCloseable {

    /// What it takes to move a guest to another machine.
    private static final long MIGRATION = Features.LOG_SHMFD | Features.DEVICE_STATE;

    private static final Payload DONE = new Payload.Number(0);
    private static final Payload FAILED = new Payload.Number(1);
    private static final Payload NO_CONFIG = new Payload.Nothing();

    private static final long PROTOCOL = Features.MQ
            | Features.REPLY_ACK
            | Features.BACKEND_REQ
            | Features.BACKEND_SEND_FD
            | Features.RESET_DEVICE
            | Features.CONFIGURE_MEM_SLOTS;

    private final Connection connection;
    private final VirtioDevice device;
    private final GuestMemory memory;
    private final Rings rings;
    private final MemoryTable memoryTable;
    private final FrontendMapper mapper;
    private final Migration migration;
    private final Syscalls sys;

    private long features; // as the driver chose; PROTOCOL_FEATURES until the front end says otherwise
    private long protocolFeatures; // as the front end chose

    /// @param connection to the front end; closed by [#close]
    /// @param device what serves the rings
    /// @param sys the host
    public Backend(Connection connection, VirtioDevice device, Syscalls sys) {
        this.connection = connection;
        this.device = device;
        this.sys = sys;
        this.mapper = new FrontendMapper(sys);
        this.memory = new GuestMemory(sys, mapper::isPiece);
        this.rings = new Rings(device, memory, sys);
        this.memoryTable = new MemoryTable(memory, rings);
        this.migration = new Migration(sys, device, memory, rings);
        this.features = Features.PROTOCOL_FEATURES;
    }

    /// Obeys the front end until it leaves. Then nothing of it is left: rings are stopped, memory
    /// is unmapped, all its file descriptors are closed.
    ///
    /// @return whether it said anything at all
    /// @throws MalformedException if the front end does not speak the protocol
    /// @throws ErrnoException if the socket fails
    public boolean run() throws MalformedException, ErrnoException {
        boolean spoke = false;
        try {
            Optional<Connection.Received> received = connection.receive();
            while (received.isPresent()) {
                spoke = true;
                serve(received.get());
                received = connection.receive();
            }
        } catch (ErrnoException e) {
            // so ends a front end that was killed, with an answer unread or not even sent: it left
            if (e.errno() != Errno.EPIPE && e.errno() != Errno.ECONNRESET) {
                throw e;
            }
        } finally {
            close();
        }
        return spoke;
    }

    /// Stops the rings, and gives back memory and file descriptors. [#run] does so at its end.
    @Override
    public void close() {
        rings.close();
        device.useWindow(null);
        mapper.close();
        migration.close();
        memory.close();
        connection.close();
    }

    private void serve(Connection.Received received) throws MalformedException, ErrnoException {
        Payload acknowledgement = DONE;
        try {
            Optional<Payload> answer = obey(received.message());
            if (answer.isPresent()) {
                connection.reply(received, answer.get());
                return;
            }
        } catch (RefusedException e) {
            e.log("refused");
            acknowledgement = FAILED;
        }
        if (received.header().needsReply() && isSettled(Features.REPLY_ACK)) {
            connection.reply(received, acknowledgement);
        }
        if (received.message() instanceof MemoryMessage) {
            mapper.memoryChanged(); // not before the front end knows that it can go on
        }
    }

    /// Does what the message says.
    ///
    /// @return the message's own answer, if it has one
    private Optional<Payload> obey(FrontendMessage message) throws RefusedException, MalformedException {
        return switch (message) {
            case NegotiationMessage negotiation -> negotiate(negotiation);
            case ConfigMessage.GetConfig get -> Optional.of(config(get.part()));
            case ConfigMessage.SetConfig _ -> throw new RefusedException("the configuration space is read-only");
            case MemoryMessage change -> memoryTable.obey(change);
            case RingMessage ring -> obey(ring);
            case MigrationMessage move -> migration.obey(move, protocolFeatures);
            case FrontendMessage.Unsupported unsupported ->
                throw new RefusedException("message " + unsupported.number() + " is not known");
        };
    }

    /// From the moment on that a ring is about to stop, the window is not to be changed, until all
    /// rings run again that were started. The requests that the ring has taken may still want to.
    private Optional<Payload> obey(RingMessage message) throws RefusedException, MalformedException {
        boolean stops = message instanceof RingMessage.GetVringBase
                || message instanceof RingMessage.SetVringEnable(var _, int enabled) && enabled == 0;
        if (stops) {
            mapper.stop();
        }
        Optional<Payload> answer = rings.obey(message);
        if (stops) {
            mapper.stop();
        } else if (rings.areRunning()) {
            mapper.run();
        }
        if (message instanceof RingMessage.SetVringAddr) {
            migration.settle(features);
        }
        return answer;
    }

    private Optional<Payload> negotiate(NegotiationMessage message) throws RefusedException {
        switch (message) {
            case NegotiationMessage.GetFeatures _ -> {
                return number(offeredFeatures());
            }
            case NegotiationMessage.GetProtocolFeatures _ -> {
                return number(offeredProtocolFeatures());
            }
            case NegotiationMessage.GetQueueNum _ -> {
                return number(device.queueCount());
            }
            case NegotiationMessage.GetShmemConfig _ -> {
                return Optional.of(new WindowPayload.Sizes(offerWindow()));
            }
            case NegotiationMessage.SetFeatures set -> setFeatures(set.features());
            case NegotiationMessage.SetProtocolFeatures set -> setProtocolFeatures(set.features());
            case NegotiationMessage.SetBackendReqFd set -> setBackendRequests(set.socket());
            case NegotiationMessage.ResetDevice _ -> reset();
            case NegotiationMessage.SetOwner _, NegotiationMessage.ResetOwner _ -> {} // nothing to be done
        }
        return Optional.empty();
    }

    private long offeredFeatures() {
        return device.features() | Features.PROTOCOL_FEATURES | (device.state().isPresent() ? Features.LOG_ALL : 0);
    }

    private long offeredProtocolFeatures() {
        return PROTOCOL
                | (device.state().isPresent() ? MIGRATION : 0)
                | (device.config().length > 0 ? Features.CONFIG : 0)
                | (device.windowSize() > 0 ? Features.SHMEM : 0);
    }

    private void setFeatures(long chosen) throws RefusedException {
        requireOffered(chosen, offeredFeatures());
        rings.setFeatures(chosen);
        features = chosen;
        migration.settle(features);
    }

    private void setProtocolFeatures(long chosen) throws RefusedException {
        requireOffered(chosen, offeredProtocolFeatures());
        protocolFeatures = chosen;
    }

    private static void requireOffered(long chosen, long offered) throws RefusedException {
        if ((chosen & ~offered) != 0) {
            throw new RefusedException("features 0x%x were not offered".formatted(chosen & ~offered));
        }
    }

    private boolean isSettled(long protocolFeature) {
        return (protocolFeatures & protocolFeature) != 0;
    }

    private void setBackendRequests(Fd socket) throws RefusedException {
        if (!isSettled(Features.BACKEND_REQ)) {
            socket.close();
            throw new RefusedException("a socket for requests that nobody agreed on");
        }
        mapper.connect(connection.channel(sys, socket));
    }

    /// Who asks for the size of the window makes room for it, and fills it. A front end that has
    /// the protocol feature only (QEMU's vhost-user-fs) never asks.
    private long offerWindow() {
        if (!isSettled(Features.SHMEM) || !mapper.isConnected()) {
            return 0;
        }
        device.useWindow(mapper);
        return device.windowSize();
    }

    private void reset() {
        mapper.stop();
        migration.cancel();
        rings.reset((features & Features.PROTOCOL_FEATURES) == 0);
        device.reset();
    }

    /// Offset and size are the front end's claims; a part that is not wholly inside does not exist.
    private Payload config(Payload.Config wanted) {
        Buffers all = Buffers.ofBytes(device.config());
        long offset = Integer.toUnsignedLong(wanted.offset());
        long size = wanted.bytes().size();
        if (offset + size > all.size()) {
            return NO_CONFIG;
        }
        return new Payload.Config(wanted.offset(), wanted.flags(), all.slice(offset, size));
    }

    private static Optional<Payload> number(long value) {
        return Optional.of(new Payload.Number(value));
    }
}
