package vitrine.guest.frontend;

import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.virtqueue.RingFormat;

/// What front end and back end agree on when they meet, before there is any queue.
///
/// @param features the virtio features to be chosen: offered, and wanted by our options
/// @param protocolFeatures the protocol features that were settled
/// @param queues how many queues the device has
/// @param backendRequests our end of the socket on which the back end may ask; null if there is
///     none
record Agreement(long features, long protocolFeatures, int queues, UnixSocket backendRequests)
        implements AutoCloseable {

    /// More queues than an 8-bit index of SET_VRING_KICK can name.
    private static final int MOST_QUEUES = 256;

    /// Asks and settles, in QEMU's order.
    static Agreement reach(Conversation backend, Syscalls sys, FrontendOptions options)
            throws FrontendException, ErrnoException {
        long protocol = 0;
        if ((backend.askNumber(new NegotiationMessage.GetFeatures()) & Features.PROTOCOL_FEATURES) != 0) {
            protocol = backend.askNumber(new NegotiationMessage.GetProtocolFeatures()) & options.protocolFeatures();
            backend.tell(new NegotiationMessage.SetProtocolFeatures(protocol));
            backend.mayAskForAcknowledgement((protocol & Features.REPLY_ACK) != 0);
        }
        long queues = (protocol & Features.MQ) != 0 ? backend.askNumber(new NegotiationMessage.GetQueueNum()) : 1;
        if (queues < 1 || queues > MOST_QUEUES) {
            throw new FrontendException("the back end claims " + queues + " queues");
        }
        if ((protocol & Features.CONFIGURE_MEM_SLOTS) != 0) {
            backend.askNumber(new MemoryMessage.GetMaxMemSlots()); // ours are few
        }
        UnixSocket backendRequests = (protocol & Features.BACKEND_REQ) != 0 ? giveBackendRequests(backend, sys) : null;
        backend.tell(new NegotiationMessage.SetOwner());
        long features = backend.askNumber(new NegotiationMessage.GetFeatures()) & options.features();
        return new Agreement(features, protocol, (int) queues, backendRequests);
    }

    RingFormat ringFormat() {
        return (features & Features.RING_PACKED) != 0 ? RingFormat.PACKED : RingFormat.SPLIT;
    }

    boolean eventIndex() {
        return (features & Features.EVENT_IDX) != 0;
    }

    boolean has(long protocolFeature) {
        return (protocolFeatures & protocolFeature) != 0;
    }

    @Override
    public void close() {
        if (backendRequests != null) {
            backendRequests.close();
        }
    }

    private static UnixSocket giveBackendRequests(Conversation backend, Syscalls sys)
            throws FrontendException, ErrnoException {
        UnixSocket[] pair = UnixSocket.pair(sys);
        try (UnixSocket theirs = pair[1]) {
            backend.tell(new NegotiationMessage.SetBackendReqFd(theirs.fd()));
            return pair[0];
        } catch (FrontendException e) {
            pair[0].close();
            throw e;
        }
    }
}
