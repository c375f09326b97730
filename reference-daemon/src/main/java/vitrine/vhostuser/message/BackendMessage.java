package vitrine.vhostuser.message;

import java.util.List;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;

/// A message from the back end as a value: the other way round, on a socket of its own
/// (vhost-user: "Back-end message types"). The only ones spoken here are about a window.
public sealed interface BackendMessage {

    /// SHMEM_MAP: makes a piece of a file appear in a window, where nothing is yet.
    ///
    /// @param piece what and where
    /// @param file open for reading and writing, even if the guest is only to read: QEMU refuses
    ///     any other, and gives up the socket for one that is open with `O_PATH`
    record Map(WindowPayload.Piece piece, Fd file) implements BackendMessage {
        @Override
        public int number() {
            return SHMEM_MAP;
        }

        @Override
        public List<Fd> fds() {
            return List.of(file);
        }
    }

    /// SHMEM_UNMAP: empties a part of a window.
    ///
    /// @param piece offset and length are those of one mapping, no more and no less
    record Unmap(WindowPayload.Piece piece) implements BackendMessage {
        @Override
        public int number() {
            return SHMEM_UNMAP;
        }
    }

    /// The number of [Map] on the wire.
    int SHMEM_MAP = 9;

    /// The number of [Unmap] on the wire.
    int SHMEM_UNMAP = 10;

    /// The message's number on the wire.
    int number();

    /// Which piece it is about.
    WindowPayload.Piece piece();

    /// The file descriptors that travel with the message.
    default List<Fd> fds() {
        return List.of();
    }

    /// The message ready to be sent. It asks for an acknowledgement: without one, nobody would know
    /// when the guest can see the piece.
    default Frame toFrame() {
        Buffers bytes = FrontendMessage.encode(piece());
        int flags = MessageHeader.VERSION | MessageHeader.NEED_REPLY;
        return new Frame(new MessageHeader(number(), flags, (int) bytes.size()), bytes, fds());
    }

    /// Understands a frame.
    ///
    /// @throws MalformedException if it is none of these messages; the frame's file descriptors are
    ///     closed then
    static BackendMessage decode(Frame frame) throws MalformedException {
        MessageReader in = new MessageReader(frame);
        try {
            BackendMessage message = switch (frame.header().request()) {
                case SHMEM_MAP -> new Map(WindowPayload.Piece.decode(in.bytes()), in.fd());
                case SHMEM_UNMAP -> new Unmap(WindowPayload.Piece.decode(in.bytes()));
                default ->
                    throw new MalformedException(
                            "back-end message " + frame.header().request() + " is not known");
            };
            in.end();
            return message;
        } catch (MalformedException e) {
            frame.closeFds();
            throw e;
        }
    }
}
