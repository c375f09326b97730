package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import vitrine.dax.Window;
import vitrine.guest.Device;
import vitrine.guest.bridge.Bridge;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.qemu.AtExit;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// This host's own kernel, over the bridge.
public final class BridgeGuest implements Performer {

    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+");

    private final Syscalls sys = new Syscalls(Libc.load());

    @Override
    public Client client() {
        Matcher version = VERSION.matcher(System.getProperty("os.version"));
        if (!version.lookingAt()) {
            throw new IllegalStateException("Linux " + System.getProperty("os.version"));
        }
        return new Client(version.group(), false);
    }

    @Override
    public List<Performance> perform(List<Program> programs) throws IOException, InterruptedException {
        List<Performance> performances = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-program-")) {
            Interpreter interpreter = Interpreter.compiled(folder.path());
            Path mountPoint = Files.createDirectory(folder.path().resolve("mnt"));
            for (Program program : programs) {
                try (AtExit _ = AtExit.undo(() -> program.clear(folder.path()))) {
                    performances.add(perform(program, program.setUp(folder.path()), mountPoint, interpreter));
                }
            }
        } catch (ErrnoException | FrontendException e) {
            throw new IOException(e.getMessage(), e);
        }
        return performances;
    }

    private Performance perform(Program program, Path share, Path mountPoint, Interpreter interpreter)
            throws IOException, InterruptedException, ErrnoException, FrontendException {
        try (Stage stage = new Stage(program, share, sys, Window.none())) {
            Device device = Device.inProcess(stage, Bridge.options());
            try (Bridge _ = Bridge.mount(device, Bridge.options(), mountPoint, sys, 1)) {
                interpreter.run(program, client(), mountPoint);
            }
            return new Performance(program, client(), stage.seen());
        }
    }
}
