package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What was once fetched from Debian and prepared for guests, kept for the next run.
///
/// The folder is `$XDG_CACHE_HOME/vitrine`, or `~/.cache/vitrine`. Every prepared thing is a folder
/// in it, named with its package and version; a symbolic link with the bare name of the package
/// asked for leads to it, so a second run asks nobody. Deleting the folder makes the next run fetch
/// what is newest then. Two runs at once do not prepare the same thing twice: there is a lock file.
public final class PackageCache {

    private static final Object THIS_PROCESS = new Object(); // a FileLock is for processes, not threads

    /// Tells which packages really have the files.
    @FunctionalInterface
    interface Contents {
        /// The packages with the files, where `name` may be one that only depends on them.
        List<String> of(String name, Apt apt) throws GuestFailedException, IOException, InterruptedException;
    }

    /// Makes something out of unpacked packages.
    @FunctionalInterface
    interface Preparation {
        /// Puts into `target`, an empty folder, what is to be kept of the packages in `unpacked`.
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

    /// The names by which something was prepared.
    List<String> names() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> links = Files.list(folder)) {
            return links.filter(Files::isSymbolicLink)
                    .map(link -> link.getFileName().toString())
                    .toList();
        }
    }

    /// Where packages come from: as this machine is set up, and then what was set up beside it.
    List<Apt> sources() {
        NewerSoftware newer = new NewerSoftware(folder);
        return newer.isPrepared() ? List.of(Apt.ofMachine(), newer.apt()) : List.of(Apt.ofMachine());
    }

    /// What was prepared of a package: at once if it is there, else fetched and prepared now.
    Path prepared(String debianPackage, Contents contents, Preparation preparation)
            throws GuestFailedException, IOException, InterruptedException {
        return once(debianPackage, work -> {
            Apt apt = sourceOf(debianPackage);
            List<Path> debs = apt.download(contents.of(debianPackage, apt), work, progress);
            return keep(unpack(debs, work), work, preparation);
        });
    }

    /// The same of `.deb`s that are on this machine already; the first one gives the name.
    Path preparedFrom(List<Path> debs, Preparation preparation)
            throws GuestFailedException, IOException, InterruptedException {
        return once(debs.getFirst().getFileName().toString(), work -> keep(unpack(debs, work), work, preparation));
    }

    private Apt sourceOf(String debianPackage) throws GuestFailedException, IOException, InterruptedException {
        for (Apt apt : sources()) {
            if (apt.names(debianPackage).contains(debianPackage)) {
                return apt;
            }
        }
        throw new GuestFailedException(
                "apt knows no package " + debianPackage + "; if its lists are missing, run: apt-get update");
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

    /// Unpacks packages into one folder that bears the name of the first.
    private static Path unpack(List<Path> debs, Path work)
            throws GuestFailedException, IOException, InterruptedException {
        Path unpacked = work.resolve(debs.getFirst().getFileName().toString().replaceFirst("\\.deb$", ""));
        for (Path deb : debs) {
            HostTool.find("dpkg-deb", "dpkg")
                    .run(work, "-x", deb.toAbsolutePath().toString(), unpacked.toString());
        }
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
