package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static vitrine.posix.Syscalls.checked;
import static vitrine.posix.Syscalls.interrupted;
import static vitrine.posix.Syscalls.opened;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import vitrine.wire.Name;

/// A stream socket in the file system: bytes, and open descriptors along with them.
///
/// This is what front end and device speak vhost-user over. Waiting in [#accept] or [#receive] is
/// ended from another thread by [#shutdown], not by [#close].
public final class UnixSocket implements AutoCloseable {

    /// How many descriptors one message may bring; what comes beyond is closed. vhost-user needs
    /// eight, one for each memory region of a table.
    public static final int MOST_FDS_RECEIVED = 8;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = Fcntl.O_CLOEXEC;
    private static final int LONGEST_PATH = 107; // sockaddr_un has 108 bytes, one for the NUL
    private static final int OWNER_ONLY = 0700;
    private static final int BACKLOG = 16;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int SHUT_RDWR = 2;

    private final Syscalls sys;
    private final Fd fd;
    private final OwnFile ownFile; // the socket file that we made and remove again, or null

    /// By its directory, since a [Sandbox] may hide the path when it is to be removed.
    private record OwnFile(Fd directory, Name name) {

        static OwnFile at(Syscalls sys, Path path) throws ErrnoException {
            Path absolute = path.toAbsolutePath();
            Fd directory = sys.openPath(absolute.getParent().toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY);
            return new OwnFile(directory, Name.of(absolute.getFileName().toString()));
        }
    }

    private UnixSocket(Syscalls sys, Fd fd, OwnFile ownFile) {
        this.sys = sys;
        this.fd = fd;
        this.ownFile = ownFile;
    }

    /// Makes a socket file that only the owner may connect to, and listens.
    ///
    /// A socket file that nobody listens at any more, left behind by a daemon that was killed, is
    /// replaced. The file is removed by [#close].
    ///
    /// @throws ErrnoException `EADDRINUSE` if a daemon listens there, or the file is no socket;
    ///     `ENAMETOOLONG` for a path of more than 107 bytes
    public static UnixSocket listen(Syscalls sys, Path path) throws ErrnoException {
        Fd fd = newSocket(sys, SOCK_STREAM);
        try {
            // bind(2) gives the file the permissions of the socket itself. Setting them afterwards,
            // on the file, would leave it open to others for a moment.
            sys.chmod(fd, OWNER_ONLY);
            bind(sys, fd, path);
            checked("listen", sys.libc().listen(fd.number(), BACKLOG));
            return new UnixSocket(sys, fd, OwnFile.at(sys, path));
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    private static void bind(Syscalls sys, Fd fd, Path path) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(path, arena);
            int size = (int) address.byteSize();
            int result = sys.libc().bind(fd.number(), address.address(), size);
            if (result == -1 && Libc.lastErrno() == Errno.EADDRINUSE) {
                removeIfStale(sys, path);
                result = sys.libc().bind(fd.number(), address.address(), size);
            }
            checked("bind " + path, result);
        }
    }

    private static void removeIfStale(Syscalls sys, Path path) throws ErrnoException {
        try (Fd file = sys.openPath(path.toString(), Fcntl.O_PATH | Fcntl.O_NOFOLLOW)) {
            if (!Stat.isSocket(sys.statx(file, Stat.STATX_TYPE).mode())) {
                throw new ErrnoException(path + " exists and is no socket", Errno.EADDRINUSE);
            }
        }
        try (UnixSocket _ = connect(sys, path)) {
            throw new ErrnoException(path + " is already in use by a running daemon", Errno.EADDRINUSE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.ECONNREFUSED) {
                throw e;
            }
        }
        sys.unlinkPath(path.toString());
    }

    /// Uses a descriptor that was opened before us, such as a listening one inherited from systemd
    /// or libvirt.
    public static UnixSocket adopt(Syscalls sys, Fd fd) {
        return new UnixSocket(sys, fd, null);
    }

    /// Connects to a socket file.
    ///
    /// @throws ErrnoException `ECONNREFUSED` if nobody listens there, `ENOENT` if there is no such
    ///     file
    public static UnixSocket connect(Syscalls sys, Path path) throws ErrnoException {
        return connect(sys, path, newSocket(sys, SOCK_STREAM));
    }

    /// The same to a socket of datagrams: what is sent arrives as a whole, or not at all.
    public static UnixSocket connectDatagram(Syscalls sys, Path path) throws ErrnoException {
        return connect(sys, path, newSocket(sys, SOCK_DGRAM));
    }

    private static UnixSocket connect(Syscalls sys, Path path, Fd fd) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(path, arena);
            int result;
            do {
                result = sys.libc().connect(fd.number(), address.address(), (int) address.byteSize());
            } while (interrupted(result));
            checked("connect " + path, result);
            return new UnixSocket(sys, fd, null);
        } catch (ErrnoException e) {
            fd.close();
            boolean nobody = e.errno() == Errno.ENOENT || e.errno() == Errno.ECONNREFUSED;
            throw nobody ? new ErrnoException("nobody listens on " + path, e.errno()) : e;
        }
    }

    /// Two sockets that are connected to each other.
    public static UnixSocket[] pair(Syscalls sys) throws ErrnoException {
        MemorySegment two = Scratch.mine().struct;
        checked("socketpair", sys.libc().socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two.address()));
        return new UnixSocket[] {
            new UnixSocket(sys, new Fd(two.get(JAVA_INT, 0), sys.libc()), null),
            new UnixSocket(sys, new Fd(two.get(JAVA_INT, 4), sys.libc()), null)
        };
    }

    /// Waits for somebody to connect.
    public UnixSocket accept() throws ErrnoException {
        int connection;
        do {
            connection = sys.libc().accept4(fd.number(), 0, 0, Fcntl.O_CLOEXEC);
        } while (interrupted(connection));
        return new UnixSocket(sys, opened("accept4", connection, sys.libc()), null);
    }

    /// Waits for bytes and takes what is there, up to the size of `into`.
    ///
    /// @param into native memory
    /// @param fds the descriptors that came along are added; they are the caller's to close
    /// @return how many bytes came; 0 when the peer has closed
    /// @throws ErrnoException `EMFILE` if descriptors were lost because this process has too many;
    ///     those that did come are closed
    public int receive(MemorySegment into, List<Fd> fds) throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
            SocketMessage message = SocketMessage.toReceive(into, arena);
            long received;
            do {
                received = sys.libc().recvmsg(fd.number(), message.address(), MSG_CMSG_CLOEXEC);
            } while (interrupted(received));
            checked("recvmsg", received);
            List<Fd> came = message.fds(sys.libc());
            int kept = message.lostFds() ? 0 : Math.min(came.size(), MOST_FDS_RECEIVED);
            fds.addAll(came.subList(0, kept));
            came.subList(kept, came.size()).forEach(Fd::close);
            if (message.lostFds()) {
                throw new ErrnoException("recvmsg: descriptors were lost", Errno.EMFILE);
            }
            return (int) received;
        }
    }

    /// Waits until `into` is full.
    ///
    /// @return false if the peer has closed before the first byte
    /// @throws ErrnoException `ECONNRESET` if it closed in the middle; descriptors that came are in
    ///     `fds`
    public boolean receiveFully(MemorySegment into, List<Fd> fds) throws ErrnoException {
        long done = 0;
        while (done < into.byteSize()) {
            int received = receive(into.asSlice(done), fds);
            if (received == 0 && done == 0) {
                return false;
            }
            if (received == 0) {
                throw new ErrnoException("recvmsg: the peer closed in the middle of a message", Errno.ECONNRESET);
            }
            done += received;
        }
        return true;
    }

    /// Sends all of `bytes`, at least one, and with the first of them the descriptors.
    ///
    /// @param bytes native memory
    /// @param fds stay open here; the peer gets descriptors of its own for the same files
    /// @throws ErrnoException `EPIPE` if the peer has closed
    public void send(MemorySegment bytes, List<Fd> fds) throws ErrnoException {
        long done = 0;
        try (Arena arena = Arena.ofConfined()) {
            while (done < bytes.byteSize()) {
                List<Fd> along = done == 0 ? fds : List.of();
                SocketMessage message = SocketMessage.toSend(bytes.asSlice(done), along, arena);
                long sent;
                do {
                    sent = sys.libc().sendmsg(fd.number(), message.address(), MSG_NOSIGNAL);
                } while (interrupted(sent));
                done += checked("sendmsg", sent);
            }
        }
    }

    /// The descriptor, for waiting on several at once.
    public Fd fd() {
        return fd;
    }

    /// Ends the conversation, and every wait in [#accept] and [#receive], from any thread.
    public void shutdown() {
        sys.libc().shutdown(fd.number(), SHUT_RDWR); // fails only if there is nothing to end
    }

    /// Closes the socket, and removes the socket file if [#listen] made it.
    @Override
    public void close() {
        boolean wasOpen = fd.isOpen();
        fd.close();
        if (wasOpen && ownFile != null) {
            try (Fd directory = ownFile.directory) {
                sys.unlinkat(directory, ownFile.name, 0);
            } catch (ErrnoException _) {
                // Somebody else has tidied up.
            }
        }
    }

    private static Fd newSocket(Syscalls sys, int type) throws ErrnoException {
        return opened("socket", sys.libc().socket(AF_UNIX, type | SOCK_CLOEXEC, 0), sys.libc());
    }

    /// A `struct sockaddr_un` as long as the path needs.
    private static MemorySegment address(Path path, Arena arena) throws ErrnoException {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST_PATH) {
            throw new ErrnoException("socket path " + path, Errno.ENAMETOOLONG);
        }
        MemorySegment address = arena.allocate(2L + bytes.length + 1, Short.BYTES);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, 2, bytes.length);
        return address;
    }
}
