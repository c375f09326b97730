package vitrine.guest.workload.fio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import vitrine.guest.qemu.AtExit;
import vitrine.guest.qemu.ShellWords;

/// The fio of this machine, on files below a mount point that is somewhere else than the command
/// line says.
///
/// @param line what it is to do
/// @param paths where the command line has the share mounted
record RealFio(FioCommandLine line, GuestPaths paths) {

    private static final String FILE = "filename";
    private static final String FOLDER = "directory";

    /// @param told where the share is mounted, or null: in the folder of the first file
    /// @throws FioUsageException if a file is outside of it
    static RealFio of(FioCommandLine line, Path told) throws FioUsageException {
        RealFio fio = new RealFio(line, new GuestPaths(told == null ? folderOfFirst(line) : told));
        fio.check(line.global());
        for (Map<String, String> job : line.jobs()) {
            fio.check(job);
        }
        return fio;
    }

    private static Path folderOfFirst(FioCommandLine line) {
        for (Map<String, String> job : line.jobs()) {
            Map<String, String> all = line.all(job);
            if (all.containsKey(FOLDER)) {
                return Path.of("/").resolve(all.get(FOLDER));
            }
            if (all.containsKey(FILE)) {
                return Path.of("/").resolve(all.get(FILE)).getParent();
            }
        }
        return Path.of("/");
    }

    private void check(Map<String, String> options) throws FioUsageException {
        for (String name : List.of(FILE, FOLDER)) {
            String path = options.getOrDefault(name, "");
            if (path.contains(":")) {
                throw Settings.wrong(name, path, "one " + (name.equals(FILE) ? "file" : "folder"));
            }
            if (paths.inShare(path).normalize().startsWith("..")) {
                throw new FioUsageException(path + " is not below --mount-point=" + paths.mountPoint());
            }
        }
    }

    /// Runs it; its exit status.
    ///
    /// @param mounted where the share is
    /// @throws IOException if there is no fio
    int run(Path mounted) throws IOException, InterruptedException {
        Command command = command(mounted);
        for (Path folder : command.folders) {
            Files.createDirectories(folder);
        }
        Process fio = new ProcessBuilder(command.words).inheritIO().start();
        try (AtExit _ = AtExit.end(fio)) {
            return fio.waitFor();
        }
    }

    /// The same in a guest, as a line of shell.
    String inGuest(Path mounted) {
        Command command = command(mounted);
        List<String> made = new ArrayList<>(List.of("mkdir", "-p", mounted.toString()));
        command.folders.forEach(folder -> made.add(folder.toString()));
        return ShellWords.quote(made) + " && exec " + ShellWords.quote(command.words);
    }

    /// What is to be run, and which folders it needs.
    private record Command(List<String> words, Set<Path> folders) {}

    private Command command(Path mounted) {
        Set<Path> folders = new LinkedHashSet<>();
        List<String> words = new ArrayList<>(List.of("fio"));
        add(words, line.program());
        add(words, moved(line.global(), line.global(), mounted, folders));
        for (Map<String, String> job : line.jobs()) {
            Map<String, String> all = line.all(job);
            Map<String, String> own = moved(job, all, mounted, folders);
            if (!all.containsKey(FILE) && !all.containsKey(FOLDER)) {
                own.put(FOLDER, mounted.toString());
            }
            add(words, own);
        }
        return new Command(words, folders);
    }

    private Map<String, String> moved(
            Map<String, String> options, Map<String, String> all, Path mounted, Set<Path> folders) {
        Map<String, String> moved = new LinkedHashMap<>(options);
        for (String name : List.of(FILE, FOLDER)) {
            String path = options.get(name);
            boolean inFolder = name.equals(FILE) && all.containsKey(FOLDER);
            if (path != null && (path.startsWith("/") || !inFolder)) {
                Path to = mounted.resolve(paths.inShare(path));
                folders.add(name.equals(FILE) ? to.getParent() : to);
                moved.put(name, to.toString());
            }
        }
        return moved;
    }

    private static void add(List<String> words, Map<String, String> options) {
        options.forEach((name, value) -> words.add("--" + name + (value.isEmpty() ? "" : "=" + value)));
    }
}
