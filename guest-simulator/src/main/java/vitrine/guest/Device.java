package vitrine.guest;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import vitrine.fuse.FileSystem;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.DriverQueue;
import vitrine.guest.driver.DriverRing;
import vitrine.guest.driver.GuestPages;
import vitrine.guest.driver.IndirectTables;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.GuestRam;
import vitrine.guest.frontend.WindowMemory;
import vitrine.guest.frontend.WriteLog;
import vitrine.posix.ErrnoException;
import vitrine.virtqueue.Descriptor;

/// What a guest's driver finds: memory that it shares with a virtio-fs device, and virtqueues.
public interface Device extends AutoCloseable {

    /// Descriptors of an indirect table: header, arguments and 256 pages each way, and some to
    /// spare.
    int TABLE_ENTRIES = 264;

    /// One queue: its ring, what was agreed about it, and how its two sides reach each other.
    ///
    /// @param ring where it lies, and what was agreed about it
    /// @param indirect whether VIRTIO_F_INDIRECT_DESC was agreed
    /// @param doorbell the kick and the call
    record Line(DriverRing ring, boolean indirect, Doorbell doorbell) {}

    /// A device in this process, with threads of its own behind a socket pair: the whole of
    /// vhost-user.
    ///
    /// @param fileSystem what answers the requests; it stays the caller's
    static Device inProcess(FileSystem fileSystem, MachineOptions options) throws ErrnoException, FrontendException {
        return SocketDevice.inProcess(fileSystem, options, new Onlooker(null));
    }

    /// The virtiofsd that listens on a socket: ours or any other.
    ///
    /// @throws ErrnoException if nobody listens there
    /// @throws FrontendException if it does not speak vhost-user
    static Device connect(Path socket, MachineOptions options) throws ErrnoException, FrontendException {
        return SocketDevice.connect(socket, options, new Onlooker(null));
    }

    /// The guest's memory.
    GuestRam ram();

    /// The device's window in it.
    Optional<WindowMemory> window();

    /// The queues as the driver gets them, hiprio first.
    List<Line> lines();

    /// Has the device log which pages of memory it writes to.
    ///
    /// @throws FrontendException if it does not
    default WriteLog beginLog() throws ErrnoException, FrontendException {
        throw new FrontendException("a device without a front end logs nothing");
    }

    /// Moves the guest to the virtiofsd that listens on another socket. If that does not take it,
    /// it stays.
    ///
    /// @throws FrontendException if it stays
    default void moveTo(Path socket) throws ErrnoException, FrontendException {
        throw new FrontendException("a device without a front end does not move");
    }

    /// Moves the guest to another device in this process. If that does not take it, it stays.
    ///
    /// @param fileSystem what answers the requests from now on
    /// @throws FrontendException if it stays
    default void moveTo(FileSystem fileSystem, MachineOptions options) throws ErrnoException, FrontendException {
        throw new FrontendException("a device without a front end does not move");
    }

    /// Whether somebody is still there to answer.
    boolean isAlive();

    /// Switches the device off.
    @Override
    void close();

    /// The driver's side of a queue, which nobody uses yet.
    ///
    /// @param <T> what the driver knows its requests by
    default <T> DriverQueue<T> driverQueue(int index, MachineOptions options) {
        Line line = lines().get(index);
        int size = line.ring().size();
        IndirectTables tables = IndirectTables.none();
        if (line.indirect()) {
            long bytes = (long) Descriptor.BYTES * TABLE_ENTRIES * size;
            long address = ram().reserve(bytes, GuestPages.PAGE);
            tables = IndirectTables.sideBySide(address, ram().reserved(address, bytes), TABLE_ENTRIES);
        }
        return line.ring().queue(tables, new Random(options.seed() + index));
    }
}
