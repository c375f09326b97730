package vitrine.guest.qemu;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import vitrine.guest.process.OwnUser;

/// A program that serves a folder to a guest over a vhost-user socket.
///
/// @param command its command line, with `{socket}` and `{dir}` where the two paths go
public record DaemonProgram(List<String> command) implements ShareServer {

    /// Copies the list.
    public DaemonProgram {
        command = List.copyOf(command);
    }

    /// The daemon that a person asks for.
    ///
    /// @param choice  `ours`, `c` or `rust` (see [OtherDaemon]), or any command line with the words
    ///                `{socket}` and `{dir}`
    /// @param options further options, as one would type them in a shell
    public static DaemonProgram of(String choice, String options)
            throws GuestFailedException, IOException, InterruptedException {
        if (!isChoice(choice)) {
            throw new GuestFailedException(unknown(choice));
        }
        if (List.of("c", "rust").contains(choice) && !OwnUser.now().isRoot()) {
            throw new GuestFailedException(
                    "--daemon=" + choice + " is started with a sandbox that takes root; ours takes"
                            + " none (--daemon=ours), and a command line with {socket} and {dir} is taken as it is");
        }
        List<String> command = new ArrayList<>();
        switch (choice) {
            case "ours" ->
                command.addAll(
                        List.of(launcher().toString(), "daemon", "--socket-path={socket}", "--shared-dir={dir}"));
            case "c" -> command.addAll(OtherDaemon.C.command());
            case "rust" -> command.addAll(OtherDaemon.RUST.command());
            default -> command.addAll(ShellWords.split(choice));
        }
        command.addAll(ShellWords.split(options));
        return new DaemonProgram(command);
    }

    /// Whether a person asks for a daemon with this.
    public static boolean isChoice(String choice) {
        return List.of("ours", "c", "rust").contains(choice) || choice.contains("{socket}");
    }

    /// What to say to something that is no choice.
    public static String unknown(String choice) {
        return "the daemon must be `ours`, `c`, `rust`, or a command line with {socket} and {dir} in it, not: "
                + choice;
    }

    /// The command line for a socket and a folder.
    public List<String> command(Path socket, Path directory) {
        return command.stream()
                .map(word -> word.replace("{socket}", socket.toString()).replace("{dir}", directory.toString()))
                .toList();
    }

    @Override
    public DaemonProcess start(Path socket, Path directory, Consumer<String> log) throws GuestFailedException {
        return DaemonProcess.start(this, socket, directory, log);
    }

    /// The command line: without its folder, and without the socket.
    @Override
    public String shown(Path directory) {
        List<String> words = new ArrayList<>(command(Path.of("SOCKET"), directory));
        words.set(0, Path.of(words.getFirst()).getFileName().toString());
        words.remove("--socket-path=SOCKET");
        return ShellWords.quote(words);
    }

    /// The project's launcher: told, or in a folder above our own classes, or above this one.
    private static Path launcher() throws GuestFailedException {
        Optional<String> told = Optional.ofNullable(System.getProperty("vitrine.launcher"))
                .or(() -> Optional.ofNullable(System.getenv("VITRINE_LAUNCHER")));
        if (told.isPresent()) {
            return Path.of(told.get()).toAbsolutePath();
        }
        for (Path start : List.of(ownClasses(), Path.of("").toAbsolutePath())) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                Path launcher = folder.resolve("vitrine");
                if (Files.isRegularFile(launcher) && Files.exists(folder.resolve("pom.xml"))) {
                    return launcher;
                }
            }
        }
        throw new GuestFailedException("our own daemon is started by the project's launcher, the script `vitrine`,"
                + " and it was not found: name it in VITRINE_LAUNCHER");
    }

    private static Path ownClasses() {
        return Path.of(URI.create(DaemonProgram.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }

    /// Whether a process listens on a Unix socket by now.
    ///
    /// The file alone says too little: it is there after `bind`, but a connection is refused until
    /// `listen`. Trying to connect would say too much: this kind of daemon serves its first
    /// connection and no other. So we ask the kernel (proc(5): `/proc/net/unix`).
    static boolean isListening(Path socket) throws IOException {
        String suffix = " " + socket;
        return Files.readAllLines(Path.of("/proc/net/unix")).stream()
                .anyMatch(line -> line.endsWith(suffix) && line.contains(" 00010000 ")); // __SO_ACCEPTCON
    }
}
