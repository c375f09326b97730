package vitrine.guest.qemu;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A program of the host that we call; when it is missing, its Debian package is named.
public final class HostTool {

    // Root's own tools are not in everybody's PATH.
    private static final List<String> ALSO_IN = List.of("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin");

    private final Path program;

    private HostTool(Path program) {
        this.program = program;
    }

    /// Finds a program by name.
    ///
    /// @throws GuestFailedException if it is not installed; the message names the package
    public static HostTool find(String name, String debianPackage) throws GuestFailedException {
        return new HostTool(search(name)
                .orElseThrow(() -> new GuestFailedException(
                        name + " is not installed. On Debian: apt-get install " + debianPackage)));
    }

    /// Where a program lies, if it does: by its path, or by its name in PATH.
    public static Optional<Path> search(String name) {
        if (name.contains("/")) {
            return Optional.of(Path.of(name)).filter(Files::isRegularFile);
        }
        List<String> folders = new ArrayList<>();
        Optional.ofNullable(System.getenv("PATH")).ifPresent(path -> folders.addAll(List.of(path.split(":"))));
        folders.addAll(ALSO_IN);
        return folders.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// The program's path.
    public Path program() {
        return program;
    }

    /// Runs the program in a folder and gives its standard output; its messages are in English.
    ///
    /// @throws GuestFailedException if its status is not 0; the message has its words
    public String run(Path folder, String... arguments) throws GuestFailedException, IOException, InterruptedException {
        StringBuilder output = new StringBuilder();
        run(folder, line -> output.append(line).append('\n'), List.of(arguments));
        return output.toString();
    }

    /// The same, and its standard output is handed on line by line, as it comes.
    void run(Path folder, Consumer<String> lines, List<String> arguments)
            throws GuestFailedException, IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        File errors = Files.createTempFile("vitrine-", ".err").toFile();
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectError(errors);
            builder.environment().put("LC_ALL", "C.UTF-8");
            Process process = builder.start();
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                output.lines().forEach(lines);
            }
            int status = process.waitFor();
            if (status != 0) {
                throw new GuestFailedException(ShellWords.quote(command) + " ended with status " + status + "\n"
                        + Files.readString(errors.toPath()).strip());
            }
        } finally {
            Files.deleteIfExists(errors.toPath());
        }
    }
}
