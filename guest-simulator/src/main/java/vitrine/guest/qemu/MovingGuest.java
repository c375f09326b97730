package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real guest that is moved while it runs, from one QEMU and daemon to another, or into a file
/// and out of it.
///
/// Nobody is at the other end of its serial ports, unlike a [GuestRun]'s: he would have to move
/// too. What its command has to say it puts into the share.
public final class MovingGuest implements AutoCloseable {

    private static final Part.Title QEMU = new Part.Title("QEMU", "the guest's console");
    private static final int PORTS = 4; // of the resource `init`

    private final Hardware hardware;
    private final Share share;
    private final Path folder;
    private final Path kernel;
    private final Path initramfs;
    private int lives; // how many QEMUs there were
    private Part qemu;
    private Monitor monitor;

    /// Prepares a guest; nothing is started yet.
    ///
    /// @param command a line of shell, run in the share's root
    /// @param folder for sockets and other things that only this guest needs
    public MovingGuest(Hardware hardware, Share share, String command, Path folder)
            throws GuestFailedException, IOException, InterruptedException {
        this.hardware = hardware;
        this.share = share;
        this.folder = Files.createDirectories(folder);
        PackageCache cache = PackageCache.ofUser(_ -> {});
        GuestKernel prepared = GuestKernel.prepare(hardware.kernel(), cache);
        kernel = prepared.image();
        initramfs = Files.write(folder.resolve("initramfs"), new Initramfs(prepared, cache).finish(share, command));
    }

    /// Boots it.
    ///
    /// @param daemon the socket of the daemon that serves the share
    public void boot(Path daemon) throws GuestFailedException, IOException, InterruptedException {
        start(daemon, List.of());
    }

    /// Moves it to another QEMU with another daemon. If that does not work out, it goes on where it
    /// was.
    ///
    /// @param daemon the socket of the other daemon
    /// @throws GuestFailedException with QEMU's words, if it stays
    public void moveTo(Path daemon) throws GuestFailedException, IOException, InterruptedException {
        Part before = qemu;
        Monitor source = monitor;
        String uri = "unix:" + folder.resolve("way" + (lives + 1));
        start(daemon, List.of("-incoming", uri));
        try {
            source.waitForTheOther();
            source.migrate(uri);
        } catch (GuestFailedException e) {
            String words = qemu.lastWords();
            monitor.close();
            qemu.close();
            qemu = before;
            monitor = source;
            throw new GuestFailedException(e.getMessage() + "\n" + words);
        }
        source.close();
        before.close();
    }

    /// Writes it into a file, and ends its QEMU.
    public void saveTo(Path file) throws GuestFailedException, IOException, InterruptedException {
        monitor.execute("\"stop\""); // so nothing is logged: there is nothing to be copied twice
        monitor.migrate("file:" + file);
        monitor.close();
        qemu.close();
    }

    /// Goes on with what is in a file.
    ///
    /// @param daemon the socket of the daemon that serves the share
    public void resumeFrom(Path file, Path daemon) throws GuestFailedException, IOException, InterruptedException {
        start(daemon, List.of("-incoming", "file:" + file));
        monitor.resume();
    }

    private void start(Path daemon, List<String> more) throws GuestFailedException, IOException, InterruptedException {
        lives++;
        Path socket = folder.resolve("monitor" + lives);
        List<String> command = new ArrayList<>(
                QemuProgram.find(hardware.qemu()).command(hardware, Accelerator.TCG, kernel, initramfs));
        command.addAll(QemuProgram.share(share, daemon));
        for (int port = 1; port <= PORTS; port++) {
            command.addAll(QemuProgram.silentPort(port));
        }
        command.addAll(List.of(Monitor.options(socket)));
        command.addAll(more);
        qemu = Part.start(QEMU, command, _ -> {});
        monitor = Monitor.connect(socket, qemu);
    }

    /// Whether its QEMU is there.
    public boolean isAlive() {
        return qemu.process().isAlive();
    }

    /// The last lines of its console, and of QEMU.
    public String lastWords() {
        return qemu.lastWords();
    }

    @Override
    public void close() {
        if (qemu != null) {
            qemu.close();
        }
    }
}
