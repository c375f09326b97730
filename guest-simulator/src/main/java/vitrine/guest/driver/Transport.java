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

    /// Sends a request and waits for the reply.
    ///
    /// @param request what to ask
    /// @param room how many bytes may follow the reply's header
    /// @throws NoAnswerException if the device does not answer
    Answer exchange(FuseRequest request, int room);

    /// Sends a request that has no reply, with high priority (virtio 1.3, 5.11.6.1: FORGET).
    ///
    /// @throws NoAnswerException if the device does not take it
    void post(FuseRequest request);
}
