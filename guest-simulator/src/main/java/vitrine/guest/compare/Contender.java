package vitrine.guest.compare;

import java.io.IOException;
import java.nio.file.Path;
import vitrine.guest.driver.BrokenDeviceException;
import vitrine.guest.driver.NoAnswerException;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.DaemonProcess;
import vitrine.guest.qemu.DaemonProgram;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.wire.MalformedException;

/// One of those that are compared: a daemon, and the guest in front of it.
final class Contender implements AutoCloseable {

    private final String name;
    private final DaemonProcess daemon;
    private final RepeatingGuest guest;

    private Contender(String name, DaemonProcess daemon, RepeatingGuest guest) {
        this.name = name;
        this.daemon = daemon;
        this.guest = guest;
    }

    /// Starts the daemon and shakes hands.
    ///
    /// @param name for the table
    /// @param socket a path where there is nothing yet
    static Contender start(Syscalls sys, DaemonProgram program, String name, Path socket, Path share)
            throws GuestFailedException, IOException, InterruptedException {
        DaemonProcess daemon = DaemonProcess.start(program, socket, share, _ -> {});
        try {
            daemon.awaitListening();
            return new Contender(name, daemon, new RepeatingGuest(sys, UnixSocket.connect(sys, socket)));
        } catch (FrontendException | BrokenDeviceException | ErrnoException | NoAnswerException e) {
            String end = daemon.process().isAlive() ? "" : "\n" + daemon.ending();
            daemon.close();
            throw new GuestFailedException(name + ": " + e.getMessage() + end);
        }
    }

    String name() {
        return name;
    }

    /// Repeats the load so often, and does not look.
    void warmUp(Load load, int times) throws GuestFailedException, InterruptedException {
        try (Load.Ready ready = load.preparation().on(guest)) {
            for (int i = 0; i < times; i++) {
                ready.run();
            }
        } catch (BrokenDeviceException | ErrnoException | MalformedException | NoAnswerException e) {
            throw failed(load, e);
        }
    }

    /// Makes the load ready, to be measured any number of times.
    Load.Ready ready(Load load) throws GuestFailedException, InterruptedException {
        try {
            return load.preparation().on(guest);
        } catch (BrokenDeviceException | ErrnoException | MalformedException | NoAnswerException e) {
            throw failed(load, e);
        }
    }

    /// Does some of the load, and says what one took.
    Sample measure(Load load, Load.Ready ready) throws GuestFailedException, IOException, InterruptedException {
        Pump pump = guest.pump();
        ProcessCost before = ProcessCost.of(daemon.process());
        long kicks = pump.kicks();
        long calls = pump.calls();
        long start = System.nanoTime();
        double count;
        try {
            count = ready.run();
        } catch (BrokenDeviceException | ErrnoException | MalformedException | NoAnswerException e) {
            throw failed(load, e);
        }
        long time = System.nanoTime() - start;
        ProcessCost after = ProcessCost.of(daemon.process());
        return new Sample(
                (after.processorNanos() - before.processorNanos()) / 1e3 / count,
                time / 1e3 / count,
                (after.sleeps() - before.sleeps()) / count,
                (pump.kicks() - kicks) / count,
                (pump.calls() - calls) / count);
    }

    /// The load will not be measured any more.
    void end(Load load, Load.Ready ready) throws GuestFailedException, InterruptedException {
        try {
            ready.close();
        } catch (BrokenDeviceException | ErrnoException | MalformedException | NoAnswerException e) {
            throw failed(load, e);
        }
    }

    private GuestFailedException failed(Load load, Exception e) throws InterruptedException {
        String end = daemon.process().isAlive() ? "" : "\n" + daemon.ending();
        return new GuestFailedException(name + ", " + load.name() + ": " + e.getMessage() + end);
    }

    /// The guest leaves, and the daemon is ended unless it ends by itself.
    @Override
    public void close() {
        guest.close();
        daemon.close();
    }
}
