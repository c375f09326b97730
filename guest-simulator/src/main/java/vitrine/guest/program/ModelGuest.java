package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import vitrine.dax.Window;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.GuestClock;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.SetClock;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.qemu.AtExit;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// The model's kernel, in a machine that is stepped.
public final class ModelGuest implements Performer {

    private static final int QUEUE_SIZE = 1024; // QEMU: a request of 1 MiB has its pages in one chain

    private final Syscalls sys = new Syscalls(Libc.load());
    private final String version;
    private final boolean dax;
    private final MachineOptions machine;

    /// @param version of Linux
    /// @param dax whether there is a DAX window
    /// @throws IllegalArgumentException if the model does not know it; with those that it does
    public ModelGuest(String version, boolean dax) {
        this(version, dax, MachineOptions.DEFAULT.withKernel(KernelProfile.ofLinux(version)));
    }

    /// One that does some things otherwise; what is expected of it is what the version does.
    ///
    /// @param machine with its kernel
    public ModelGuest(String version, boolean dax, MachineOptions machine) {
        this.version = version;
        this.dax = dax;
        this.machine = machine;
    }

    @Override
    public Client client() {
        return new Client(version, true, dax);
    }

    @Override
    public List<Performance> perform(List<Program> programs) throws IOException, InterruptedException {
        List<Performance> performances = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-program-")) {
            for (Program program : programs) {
                try (AtExit _ = AtExit.undo(() -> program.clear(folder.path()));
                        HostWindow host = dax ? HostWindow.open(sys) : HostWindow.none()) {
                    performances.add(perform(program, program.setUp(folder.path()), host.window()));
                }
            }
        } catch (ErrnoException e) {
            throw new IOException(e.getMessage(), e);
        }
        return performances;
    }

    private Performance perform(Program program, Path share, Window window) throws ErrnoException {
        SetClock clock = new SetClock(GuestClock.HOST.nanos());
        MachineOptions options = machine.withQueueSize(QUEUE_SIZE)
                .withClock(clock)
                .withWindow(window)
                .withDax(dax ? DaxMode.ALWAYS : DaxMode.NEVER);
        try (Stage stage = new Stage(program, share, sys, window)) {
            try (Machine machine = Machine.stepped(stage, options)) {
                machine.rootProgram().stat("/"); // as who enters a mount has looked at it
                stage.mark(0);
                new ModelProgram(machine, clock).perform(program.calls(), stage);
            }
            return new Performance(program, client(), stage.seen());
        }
    }
}
