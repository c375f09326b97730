package vitrine.guest.driver;

import vitrine.fuse.FuseRequest;
import vitrine.fuse.struct.OutHeader;
import vitrine.wire.Buffers;

/// The way of a request from the guest's FUSE client to the server and of the reply back.
///
/// For the client it makes no difference whether a virtqueue or anything else is behind it; Linux
/// has the same border (`struct fuse_iqueue_ops`).
public interface Transport {

    /// What came back.
    ///
    /// @param header the reply's header
    /// @param payload what followed it: a copy, so the driver's pages are free again
    record Answer(OutHeader header, Buffers payload) {}

    /// How many pages of data fit into one request or reply.
    int mostPages();

    /// How many request queues there are.
    int queues();

    /// Sends a request and waits for the reply.
    ///
    /// @param request what to ask
    /// @param room how many bytes may follow the reply's header
    /// @param queue which request queue, counted from 0
    /// @throws NoAnswerException if the device does not answer
    default Answer exchange(FuseRequest request, int room, int queue) {
        return send(request, room, queue).await();
    }

    /// Sends a request, and does not wait. Somebody has to, some time: until then the driver's
    /// pages are not free.
    ///
    /// @param request what to ask
    /// @param room how many bytes may follow the reply's header
    /// @param queue which request queue, counted from 0
    /// @throws NoAnswerException if the device does not take it
    Sent send(FuseRequest request, int room, int queue);

    /// A request that is under way.
    interface Sent {

        /// Whether the device has given it back.
        boolean isBack();

        /// Waits until it has. May be called more than once.
        ///
        /// @throws NoAnswerException if it does not
        Answer await();
    }

    /// Sends a request that has no reply, with high priority (virtio 1.3, 5.11.6.1: FORGET).
    ///
    /// @throws NoAnswerException if the device does not take it
    void post(FuseRequest request);
}
