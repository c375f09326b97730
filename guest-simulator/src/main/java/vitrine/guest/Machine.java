package vitrine.guest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import vitrine.fuse.FileSystem;
import vitrine.guest.driver.FuseQueue;
import vitrine.guest.driver.GuestPages;
import vitrine.guest.driver.RequestQueue;
import vitrine.guest.driver.VirtioFsDriver;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.frontend.WindowMemory;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.linux.LinuxKernel;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.process.OwnUser;
import vitrine.posix.ErrnoException;
import vitrine.trace.Recorder;

/// A virtual machine without a virtual machine: memory, virtqueues, a driver, a kernel and
/// programs, all in this JVM, with a virtio-fs device of one of three kinds behind the queues.
///
/// | kind | the device | what it is good for |
/// |---|---|---|
/// | [#stepped] | works on the caller's thread, when kicked | properties: deterministic, fast |
/// | [#inProcess] | threads of this process behind a socket pair | the whole vhost-user way |
/// | [#connect] | any virtiofsd behind a socket | comparing daemons |
///
/// The guest's side is the same for all three: same rings, same requests, same bytes.
public final class Machine implements AutoCloseable {

    private final GuestKernel kernel;
    private final Device device;
    private int lastPid = 1;

    private Machine(Device device, MachineOptions options, Onlooker onlooker) throws ErrnoException {
        this.device = device;
        List<RequestQueue> queues = new ArrayList<>();
        for (int index = 0; index < device.lines().size(); index++) {
            queues.add(queue(device, index, options, onlooker));
        }
        long bytes = options.memory().bytes() / 2;
        long pool = device.ram().reserve(bytes, GuestPages.PAGE);
        VirtioFsDriver driver = new VirtioFsDriver(
                queues.getFirst(),
                queues.subList(1, queues.size()),
                new GuestPages(
                        pool,
                        device.ram().reserved(pool, bytes),
                        options.memory().scattered()),
                options.rings().size());
        kernel = onlooker.tap(new LinuxKernel(
                driver, options.kernel(), options.clock(), options.daxMount(device.window()), onlooker.decisions()));
        kernel.mount();
    }

    /// A machine whose device does its work on the caller's thread, whenever it is kicked.
    /// Everything happens in one order, the same each time.
    ///
    /// @param fileSystem what answers the requests; it stays the caller's
    /// @throws ErrnoException if there is no memory for it, or INIT fails
    public static Machine stepped(FileSystem fileSystem, MachineOptions options) throws ErrnoException {
        return stepped(fileSystem, options, null);
    }

    /// The same, and told to a trace.
    ///
    /// @param recorder null if nobody watches
    public static Machine stepped(FileSystem fileSystem, MachineOptions options, Recorder recorder)
            throws ErrnoException {
        Onlooker onlooker = new Onlooker(recorder);
        return boot(new SteppedDevice(fileSystem, options, onlooker), options, onlooker);
    }

    /// A machine and a device in this process, with a socket pair in between: the whole of
    /// vhost-user, real eventfds, a thread for each queue.
    ///
    /// @param fileSystem what answers the requests; it stays the caller's
    /// @throws ErrnoException if the host has no means for it, or INIT fails
    public static Machine inProcess(FileSystem fileSystem, MachineOptions options)
            throws ErrnoException, FrontendException {
        return inProcess(fileSystem, options, null);
    }

    /// The same, and told to a trace.
    ///
    /// @param recorder null if nobody watches
    public static Machine inProcess(FileSystem fileSystem, MachineOptions options, Recorder recorder)
            throws ErrnoException, FrontendException {
        Onlooker onlooker = new Onlooker(recorder);
        return boot(SocketDevice.inProcess(fileSystem, options, onlooker), options, onlooker);
    }

    /// A machine with the virtiofsd that listens on a socket: ours or any other.
    ///
    /// @throws ErrnoException if nobody listens there, or INIT fails
    /// @throws FrontendException if it does not speak vhost-user
    public static Machine connect(Path socket, MachineOptions options) throws ErrnoException, FrontendException {
        return connect(socket, options, null);
    }

    /// The same, and what happens on the guest's side told to a trace.
    ///
    /// @param recorder null if nobody watches
    public static Machine connect(Path socket, MachineOptions options, Recorder recorder)
            throws ErrnoException, FrontendException {
        Onlooker onlooker = new Onlooker(recorder);
        return boot(SocketDevice.connect(socket, options, onlooker), options, onlooker);
    }

    private static Machine boot(Device device, MachineOptions options, Onlooker onlooker) throws ErrnoException {
        try {
            return new Machine(device, options, onlooker);
        } catch (ErrnoException | RuntimeException e) {
            device.close();
            throw e;
        }
    }

    private static RequestQueue queue(Device device, int index, MachineOptions options, Onlooker onlooker) {
        Device.Line line = device.lines().get(index);
        FuseQueue queue = new FuseQueue(
                device.driverQueue(index, options), onlooker.tap(line.doorbell(), index), options.patience());
        return onlooker.tap(queue, index, line.indirect());
    }

    /// A new program in the guest.
    public GuestProcess program(Task task) {
        return new GuestProcess(kernel, task);
    }

    /// A new program of root's.
    public GuestProcess rootProgram() {
        return program(Task.root(++lastPid));
    }

    /// A new program of whoever runs this process: see [OwnUser].
    public GuestProcess ownProgram() {
        OwnUser user = OwnUser.now();
        return user.isRoot() ? rootProgram() : userProgram(user.uid(), user.gid());
    }

    /// A new program of an ordinary user, without capabilities.
    public GuestProcess userProgram(int uid, int gid, Integer... groups) {
        return program(Task.user(++lastPid, uid, gid, groups));
    }

    /// Moves the guest to the virtiofsd that listens on another socket: the guest's programs go on
    /// with the files that they have open.
    ///
    /// @throws FrontendException if the guest stays where it was
    public void moveTo(Path socket) throws ErrnoException, FrontendException {
        device.moveTo(socket);
    }

    /// Moves the guest to another device in this process, with threads of its own.
    ///
    /// @param fileSystem what answers the requests from now on; it stays the caller's
    /// @throws FrontendException if the guest stays where it was
    public void moveTo(FileSystem fileSystem) throws ErrnoException, FrontendException {
        device.moveTo(fileSystem, MachineOptions.DEFAULT);
    }

    /// The device's window in the guest's memory.
    public Optional<WindowMemory> window() {
        return device.window();
    }

    /// The guest's kernel.
    public GuestKernel kernel() {
        return kernel;
    }

    /// Unmounts and switches off.
    ///
    /// @throws ErrnoException what DESTROY answered; the machine is off all the same
    @Override
    public void close() throws ErrnoException {
        try {
            kernel.close();
        } finally {
            device.close();
        }
    }
}
