package vitrine.guest.bridge;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import vitrine.fuse.Dialect;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.OutHeader;
import vitrine.guest.Device;
import vitrine.guest.MachineOptions;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.GuestPages;
import vitrine.guest.driver.Used;
import vitrine.guest.qemu.AtExit;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// A virtio-fs device, mounted on this host through `/dev/fuse`.
///
/// Some threads read what Linux asks and put it into the virtqueues; one thread a queue takes
/// replies back and gives them to Linux. Nobody waits for a reply, so as many requests are under
/// way as Linux sends and there are slots for.
public final class Bridge implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("vitrine.guest.bridge");

    private static final int SLOTS = 64;
    private static final int HEADER = (int) OutHeader.LAYOUT.byteSize();
    private static final long LAST_UNIQUE = -2L; // no request of Linux' gets there; even, as all are
    private static final Duration LOOK_ROUND = Duration.ofMillis(200); // whether it is over, or nobody is there
    private static final Duration PARTING = Duration.ofSeconds(5);

    private final Device device;
    private final FuseMount mount;
    private final List<BridgeQueue> queues = new ArrayList<>();
    private final BlockingQueue<Slot> slots = new ArrayBlockingQueue<>(SLOTS);
    private final List<Thread> submitters = new ArrayList<>();
    private final List<Thread> receivers = new ArrayList<>();
    private final CountDownLatch destroyed = new CountDownLatch(1);
    private volatile Dialect dialect = Dialect.BEFORE_INIT;
    private final AtomicBoolean closed = new AtomicBoolean();
    private AtExit mounted;
    private volatile boolean over;
    private volatile String failure; // why it ended, if not by being unmounted
    private int turn;

    private Bridge(Device device, MachineOptions options, FuseMount mount) {
        this.device = device;
        this.mount = mount;
        for (int index = 0; index < device.lines().size(); index++) {
            queues.add(new BridgeQueue(
                    device.driverQueue(index, options),
                    device.lines().get(index).doorbell()));
        }
        for (int i = 0; i < SLOTS; i++) {
            long address = device.ram().reserve(Slot.BYTES, GuestPages.PAGE);
            slots.add(new Slot(address, device.ram().reserved(address, Slot.BYTES)));
        }
    }

    /// Options for a device that is to be mounted: memory enough for all that may be under way.
    public static MachineOptions options() {
        return MachineOptions.DEFAULT.withMemory((long) SLOTS * Slot.BYTES + (64L << 20));
    }

    /// Mounts a device.
    ///
    /// @param device made with [#options]; the bridge closes it
    /// @param mountPoint a directory of the host
    /// @param threads how many read requests
    /// @throws ErrnoException if it cannot be mounted: no root, no `/dev/fuse`, no directory
    /// @throws IOException if this process is ending
    public static Bridge mount(Device device, MachineOptions options, Path mountPoint, Syscalls sys, int threads)
            throws ErrnoException, IOException {
        if (!device.lines().getFirst().indirect()) {
            throw new IllegalArgumentException("the device takes no indirect descriptors, so that a write of 1 MiB"
                    + " does not fit into a queue of " + options.rings().size());
        }
        Bridge bridge = new Bridge(device, options, FuseMount.at(mountPoint, sys));
        bridge.mounted = AtExit.undo(bridge::unmount);
        for (int i = 0; i < bridge.queues.size(); i++) {
            BridgeQueue queue = bridge.queues.get(i);
            bridge.receivers.add(
                    Thread.ofPlatform().daemon().name("bridge-replies-" + i).start(() -> bridge.receive(queue)));
        }
        for (int i = 0; i < threads; i++) {
            bridge.submitters.add(
                    Thread.ofPlatform().daemon().name("bridge-requests-" + i).start(bridge::submit));
        }
        return bridge;
    }

    /// Waits until somebody unmounts it.
    ///
    /// @throws IllegalStateException if it ended otherwise: the daemon has gone
    public void await() throws InterruptedException {
        for (Thread submitter : submitters) {
            submitter.join();
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    /// Unmounts, says good-bye to the device and switches it off; once, and at the latest when the
    /// JVM ends.
    ///
    /// @throws IOException if it cannot be unmounted
    @Override
    public void close() throws IOException {
        mounted.close();
    }

    private void unmount() throws IOException {
        closed.set(true);
        try {
            if (!mount.unmount()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "somebody still uses the mount point, and gets errors from now on");
            }
            for (Thread submitter : submitters) {
                submitter.join(PARTING);
            }
            destroy();
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            over = true;
            end();
        }
    }

    private void end() {
        try {
            for (Thread receiver : receivers) {
                receiver.join(PARTING);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        mount.close();
        device.close();
    }

    /// Linux sends no DESTROY on `/dev/fuse`; on virtio-fs it does.
    private void destroy() throws ErrnoException, InterruptedException {
        Slot slot = device.isAlive() ? slots.poll(PARTING.toMillis(), TimeUnit.MILLISECONDS) : null;
        if (slot == null) {
            return;
        }
        SessionRequest.Destroy request = new SessionRequest.Destroy(InHeader.of(LAST_UNIQUE, 0, 0, 0, 0));
        byte[] bytes = request.encode().all().toBytes();
        Buffers.of(slot.incoming()).copyFrom(bytes, 0);
        slot.setRequest(request);
        queues.getLast().submit(slot, slot.readable(bytes.length), slot.writable(ReplyRoom.of(request)));
        destroyed.await(PARTING.toMillis(), TimeUnit.MILLISECONDS);
    }

    // ---- from Linux to the device

    private void submit() {
        try {
            while (true) {
                Slot slot = slots.take();
                long length = mount.read(slot.incoming());
                if (length < 0) {
                    slots.add(slot);
                    return;
                }
                submit(slot, length);
            }
        } catch (ErrnoException e) {
            fail("/dev/fuse: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void submit(Slot slot, long length) throws ErrnoException, InterruptedException {
        FuseRequest request = decode(slot, length);
        if (request == null || request instanceof SessionRequest.Interrupt) {
            // As in a guest: its driver cannot take a request back. Linux asks once.
            mount.refuse(slot.unique(), Errno.ENOSYS);
            slots.add(slot);
            return;
        }
        slot.setRequest(request);
        if (request.opcode() != null && !request.opcode().isAnswered()) {
            queues.getFirst().submit(slot, slot.readable(length), List.of());
        } else {
            nextQueue().submit(slot, slot.readable(length), slot.writable(ReplyRoom.of(request)));
        }
    }

    /// @return null if Linux says something that we do not understand
    private FuseRequest decode(Slot slot, long length) {
        try {
            Buffers readable = Buffers.of(slot.incoming().asSlice(0, length));
            return FuseRequest.decode(readable, Buffers.of(slot.outgoing()), dialect);
        } catch (MalformedException e) {
            LOG.log(System.Logger.Level.WARNING, "a request of the kernel is refused: " + e.getMessage());
            return null;
        }
    }

    private synchronized BridgeQueue nextQueue() {
        turn = (turn + 1) % (queues.size() - 1);
        return queues.get(1 + turn);
    }

    // ---- from the device to Linux

    private void receive(BridgeQueue queue) {
        try {
            while (!over) {
                for (Used<Slot> used : queue.takeBack()) {
                    answer(used.token(), used.written());
                    slots.add(used.token());
                }
                if (!queue.awaitCall(LOOK_ROUND) && !over && !device.isAlive()) {
                    fail("the daemon has gone");
                    return;
                }
            }
        } catch (BrokenDeviceException | ErrnoException e) {
            fail(e.getMessage());
        }
    }

    private void answer(Slot slot, long written) throws ErrnoException {
        FuseRequest request = slot.request();
        if (request instanceof SessionRequest.Destroy) {
            destroyed.countDown();
        } else if (request.opcode() == null || request.opcode().isAnswered()) {
            if (request instanceof SessionRequest.Init && written > HEADER) {
                agree(slot, written);
            }
            if (!isReply(slot, written) || !mount.write(slot.reply(written))) {
                LOG.log(System.Logger.Level.WARNING, "no usable answer to " + request.opcode());
                mount.refuse(request.unique(), Errno.EIO);
            }
        }
    }

    private static boolean isReply(Slot slot, long written) {
        try {
            return written >= HEADER
                    && OutHeader.decode(new WireReader(slot.reply(HEADER))).len() == written;
        } catch (MalformedException e) {
            throw new IllegalStateException("a header of " + HEADER + " bytes", e);
        }
    }

    private void agree(Slot slot, long written) {
        try {
            dialect =
                    Dialect.of(InitOut.decode(new WireReader(slot.reply(written).slice(HEADER, written - HEADER))));
        } catch (MalformedException e) {
            LOG.log(System.Logger.Level.WARNING, "an odd answer to INIT: " + e.getMessage());
        }
    }

    /// The first failure ends it all; whoever uses the mount point gets errors.
    private synchronized void fail(String what) {
        destroyed.countDown(); // a reply to DESTROY does not come any more
        submitters.forEach(Thread::interrupt);
        if (failure != null || closed.get()) {
            return;
        }
        failure = what;
        try {
            mount.abort();
        } catch (ErrnoException e) {
            LOG.log(System.Logger.Level.WARNING, e.getMessage());
        }
    }
}
