package vitrine.vhostuser.message;

import java.util.List;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;

/// A whole message of which only the header has been understood so far.
///
/// Whoever holds a frame owns its file descriptors.
///
/// @param header what it is
/// @param payload as many bytes as the header said
/// @param fds the file descriptors that came along, in the order in which they were sent
public record Frame(MessageHeader header, Buffers payload, List<Fd> fds) {

    /// A frame owns an unchangeable list.
    public Frame {
        fds = List.copyOf(fds);
    }

    /// Closes the file descriptors: nobody wants this message.
    public void closeFds() {
        fds.forEach(Fd::close);
    }
}
