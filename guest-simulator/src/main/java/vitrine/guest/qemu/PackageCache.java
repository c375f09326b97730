package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What was once fetched from Debian and prepared for guests, kept for the next run.
///
/// The folder is `$XDG_CACHE_HOME/vitrine`, or `~/.cache/vitrine`. Every prepared thing is a folder
/// in it, named with its package and version; a symbolic link with the bare name of the package
/// asked for leads to it, so a second run asks nobody. Deleting the folder makes the next run fetch
/// what is newest then. Two runs at once do not prepare the same thing twice: there is a lock file.
public final class PackageCache {

    private static final Pattern SIZE = Pattern.compile("^Size: (\\d+)$", Pattern.MULTILINE);
    private static final Pattern VERSION = Pattern.compile("^Version: (\\S+)$", Pattern.MULTILINE);
    private static final Object THIS_PROCESS = new Object(); // a FileLock is for processes, not threads

    /// Tells which package really has the files.
    @FunctionalInterface
    interface RealPackage {
        /// The package with the files, where `name` may be one that only depends on it.
        String of(String name) throws GuestFailedException, IOException, InterruptedException;
    }

    /// Makes something out of an unpacked package.
    @FunctionalInterface
    interface Preparation {
        /// Puts into `target`, an empty folder, what is to be kept of the package in `unpacked`.
        void prepare(Path unpacked, Path target) throws GuestFailedException, IOException, InterruptedException;
    }

    private final Path folder;
    private final Consumer<String> progress;

    /// A cache in a folder, made when needed. `progress` is told before anything is fetched.
    public PackageCache(Path folder, Consumer<String> progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /// The cache of this user.
    public static PackageCache ofUser(Consumer<String> progress) {
        Path caches = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(path -> path.startsWith("/")) // a relative one counts as unset, says the XDG specification
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
        return new PackageCache(caches.resolve("vitrine"), progress);
    }

    /// The folder itself.
    public Path folder() {
        return folder;
    }

    /// What was prepared of a package: at once if it is there, else fetched and prepared now.
    Path prepared(String debianPackage, RealPackage realPackage, Preparation preparation)
            throws GuestFailedException, IOException, InterruptedException {
        return once(debianPackage, work -> {
            facts(debianPackage, work); // a misspelt name is best noticed here
            return keep(unpack(download(realPackage.of(debianPackage), work), work), work, preparation);
        });
    }

    /// The same of a `.deb` that is on this machine already.
    Path preparedFrom(Path deb, Preparation preparation)
            throws GuestFailedException, IOException, InterruptedException {
        return once(deb.getFileName().toString(), work -> keep(unpack(deb, work), work, preparation));
    }

    /// Fills an empty folder to work in, and answers with the folder of the cache to keep.
    @FunctionalInterface
    private interface Making {
        Path in(Path work) throws GuestFailedException, IOException, InterruptedException;
    }

    private Path once(String name, Making making) throws GuestFailedException, IOException, InterruptedException {
        Path link = folder.resolve(name);
        if (Files.isDirectory(link)) {
            return link.toRealPath();
        }
        Files.createDirectories(folder);
        synchronized (THIS_PROCESS) {
            try (FileChannel file = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = lock(file)) {
                return Files.isDirectory(link) ? link.toRealPath() : make(link, making);
            }
        }
    }

    private FileLock lock(FileChannel file) throws IOException {
        FileLock lock = file.tryLock();
        if (lock == null) {
            progress.accept("waiting for another vitrine that prepares a guest just now");
            lock = file.lock();
        }
        return lock;
    }

    private Path make(Path link, Making making) throws GuestFailedException, IOException, InterruptedException {
        try (TemporaryFolder work = TemporaryFolder.in(folder, "work-")) {
            Path kept = making.in(work.path());
            Files.deleteIfExists(link); // it led nowhere
            Files.createSymbolicLink(link, kept.getFileName());
            return kept;
        }
    }

    private Path download(String debianPackage, Path work)
            throws GuestFailedException, IOException, InterruptedException {
        String facts = facts(debianPackage, work);
        progress.accept(String.format(
                "fetching %s %s from Debian (%s MB), once, into %s",
                debianPackage, first(VERSION, facts), megabytes(first(SIZE, facts)), folder));
        HostTool.find("apt-get", "apt").run(work, "download", debianPackage);
        try (Stream<Path> files = Files.list(work)) {
            return files.filter(file -> file.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow(() -> new GuestFailedException("apt-get download left no .deb of " + debianPackage));
        }
    }

    private static String facts(String debianPackage, Path work)
            throws GuestFailedException, IOException, InterruptedException {
        HostTool aptCache = HostTool.find("apt-cache", "apt");
        try {
            return aptCache.run(work, "show", "--no-all-versions", debianPackage);
        } catch (GuestFailedException unknown) {
            throw new GuestFailedException("apt knows no package " + debianPackage
                    + "; if its lists are missing, run: apt-get update\n" + unknown.getMessage());
        }
    }

    private static String megabytes(String bytes) {
        return bytes.equals("?") ? "?" : String.format("%.1f", Long.parseLong(bytes) / 1e6);
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "?";
    }

    /// Unpacks a `.deb` into a folder beside it that bears its name.
    private static Path unpack(Path deb, Path work) throws GuestFailedException, IOException, InterruptedException {
        Path unpacked = work.resolve(deb.getFileName().toString().replaceFirst("\\.deb$", ""));
        HostTool.find("dpkg-deb", "dpkg").run(work, "-x", deb.toAbsolutePath().toString(), unpacked.toString());
        return unpacked;
    }

    private Path keep(Path unpacked, Path work, Preparation preparation)
            throws GuestFailedException, IOException, InterruptedException {
        Path made = Files.createDirectory(work.resolve("made"));
        preparation.prepare(unpacked, made);
        Path kept = folder.resolve(unpacked.getFileName().toString());
        if (!Files.isDirectory(kept)) {
            Files.move(made, kept, StandardCopyOption.ATOMIC_MOVE); // whoever sees it sees all of it
        }
        return kept;
    }
}
