package vitrine.vhostuser.message;

import java.lang.foreign.Arena;
import java.util.List;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireWriter;

/// A message from the front end as a value, with the file descriptors that came along.
///
/// The front end makes one and sends it, the back end decodes an equal one and obeys. Whoever holds
/// a message that was received owns its file descriptors.
public sealed interface FrontendMessage
        permits NegotiationMessage,
                ConfigMessage,
                MemoryMessage,
                RingMessage,
                MigrationMessage,
                FrontendMessage.Unsupported {

    /// A message that this project does not speak. Its payload was skipped, its file descriptors
    /// are closed.
    ///
    /// @param number what it was
    /// @param size how many bytes it had
    record Unsupported(int number, int size) implements FrontendMessage {
        @Override
        public FrontendRequest request() {
            return null;
        }

        @Override
        public Payload payload() {
            throw new UnsupportedOperationException("the payload of message " + number + " was not kept");
        }
    }

    /// Which message it is; null if [Unsupported].
    FrontendRequest request();

    /// The message's number on the wire.
    default int number() {
        return request().number();
    }

    /// The bytes that follow the header.
    default Payload payload() {
        return new Payload.Nothing();
    }

    /// The file descriptors that travel with the message.
    default List<Fd> fds() {
        return List.of();
    }

    /// Closes the file descriptors: nobody wants this message.
    default void closeFds() {
        fds().forEach(Fd::close);
    }

    /// The message ready to be sent.
    ///
    /// @param needReply whether to ask for an acknowledgement
    default Frame toFrame(boolean needReply) {
        Buffers bytes = encode(payload());
        int flags = MessageHeader.VERSION | (needReply ? MessageHeader.NEED_REPLY : 0);
        return new Frame(new MessageHeader(number(), flags, (int) bytes.size()), bytes, fds());
    }

    /// Understands a frame. The table of contents of the protocol: one line for each message, its
    /// parts in the order in which they are sent.
    ///
    /// @throws MalformedException if it has too little or too much of anything; the frame's file
    ///     descriptors are closed then
    static FrontendMessage decode(Frame frame) throws MalformedException {
        FrontendRequest request = FrontendRequest.of(frame.header().request());
        if (request == null) {
            frame.closeFds();
            return new Unsupported(frame.header().request(), frame.header().size());
        }
        MessageReader in = new MessageReader(frame);
        try {
            FrontendMessage message = decode(request, in);
            in.end();
            return message;
        } catch (MalformedException e) {
            frame.closeFds();
            throw new MalformedException(request + ": " + e.getMessage());
        }
    }

    /// The message of a request that is known: a case for each.
    private static FrontendMessage decode(FrontendRequest request, MessageReader in) throws MalformedException {
        return switch (request) {
            case GET_FEATURES -> new NegotiationMessage.GetFeatures();
            case SET_FEATURES -> new NegotiationMessage.SetFeatures(in.u64());
            case SET_OWNER -> new NegotiationMessage.SetOwner();
            case RESET_OWNER -> new NegotiationMessage.ResetOwner();
            case SET_MEM_TABLE -> MemoryMessage.SetMemTable.decode(in);
            case SET_LOG_BASE -> new MigrationMessage.SetLogBase(MigrationPayload.Log.decode(in.bytes()), in.fd());
            case SET_LOG_FD -> new MigrationMessage.SetLogFd(in.fd());
            case SET_VRING_NUM -> new RingMessage.SetVringNum(in.u32(), in.u32());
            case SET_VRING_ADDR -> new RingMessage.SetVringAddr(Payload.RingAddresses.decode(in.bytes()));
            case SET_VRING_BASE -> new RingMessage.SetVringBase(in.u32(), in.u32());
            case GET_VRING_BASE -> new RingMessage.GetVringBase(in.u32(), in.u32());
            case SET_VRING_KICK -> new RingMessage.SetVringKick(RingMessage.RingFd.decode(in));
            case SET_VRING_CALL -> new RingMessage.SetVringCall(RingMessage.RingFd.decode(in));
            case SET_VRING_ERR -> new RingMessage.SetVringErr(RingMessage.RingFd.decode(in));
            case GET_PROTOCOL_FEATURES -> new NegotiationMessage.GetProtocolFeatures();
            case SET_PROTOCOL_FEATURES -> new NegotiationMessage.SetProtocolFeatures(in.u64());
            case GET_QUEUE_NUM -> new NegotiationMessage.GetQueueNum();
            case SET_VRING_ENABLE -> new RingMessage.SetVringEnable(in.u32(), in.u32());
            case SET_BACKEND_REQ_FD -> new NegotiationMessage.SetBackendReqFd(in.fd());
            case GET_CONFIG -> new ConfigMessage.GetConfig(Payload.Config.decode(in.bytes()));
            case SET_CONFIG -> new ConfigMessage.SetConfig(Payload.Config.decode(in.bytes()));
            case RESET_DEVICE -> new NegotiationMessage.ResetDevice();
            case GET_MAX_MEM_SLOTS -> new MemoryMessage.GetMaxMemSlots();
            case ADD_MEM_REG ->
                new MemoryMessage.AddMemReg(Payload.OneRegion.decode(in.bytes()).region(), in.fd());
            case REM_MEM_REG -> MemoryMessage.RemMemReg.decode(in);
            case SET_DEVICE_STATE_FD ->
                new MigrationMessage.SetDeviceStateFd(MigrationPayload.Transfer.decode(in.bytes()), in.fd());
            case CHECK_DEVICE_STATE -> new MigrationMessage.CheckDeviceState();
            case GET_SHMEM_CONFIG -> new NegotiationMessage.GetShmemConfig();
        };
    }

    /// The bytes of a payload.
    static Buffers encode(Payload payload) {
        Buffers bytes = Buffers.of(Arena.ofAuto().allocate(payload.sizeInBytes()));
        payload.encode(new WireWriter(bytes));
        return bytes;
    }
}
