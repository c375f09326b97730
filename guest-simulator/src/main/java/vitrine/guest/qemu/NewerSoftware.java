package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// QEMU and virtiofsd of Debian's next release, unpacked beside the machine's own software.
///
/// ```
///   newer/apt/    apt's lists of packages, and what it has downloaded so far
///   newer/root/   the packages, unpacked: the programs, and each library that they need
///   newer/bin/    a script for each program, which starts it with those libraries
/// ```
///
/// Nothing is installed, and nobody need be root. Made once, it stays until the folder is deleted.
public final class NewerSoftware {

    private static final List<String> PACKAGES = List.of("qemu-system-x86", "virtiofsd");
    private static final List<String> SUITES = List.of("testing", "stable"); // the second one for its kernel
    private static final Path KEYS = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final String LIBRARIES = "usr/lib/x86_64-linux-gnu";

    // What `apt-get --print-uris` says of a file, and what it says when it comes to one.
    private static final Pattern FILE = Pattern.compile("'\\S+' \\S+ (\\d+) \\S*");
    private static final Pattern GET = Pattern.compile("Get:(\\d+) .*");

    private final Path folder;

    /// @param cache the folder of a [PackageCache]
    public NewerSoftware(Path cache) {
        folder = cache.resolve("newer");
    }

    /// The one of this user.
    public static NewerSoftware ofUser() {
        return new NewerSoftware(PackageCache.ofUser(_ -> {}).folder());
    }

    /// Where it lies, or would lie.
    public Path folder() {
        return folder;
    }

    /// Whether it is there.
    public boolean isPrepared() {
        return Files.isExecutable(qemu()) && Files.isExecutable(virtiofsd());
    }

    /// What starts its QEMU.
    public Path qemu() {
        return folder.resolve("bin/qemu-system-x86_64");
    }

    /// What starts its virtiofsd.
    public Path virtiofsd() {
        return folder.resolve("bin/virtiofsd");
    }

    /// What it is, for people: "QEMU 11.1.2, virtiofsd 1.14.0".
    public String versions() throws GuestFailedException, IOException, InterruptedException {
        String daemon = HostTool.find(virtiofsd().toString(), "virtiofsd").run(folder, "--version");
        return "QEMU " + QemuProgram.find(qemu().toString()).version() + ", " + daemon.strip();
    }

    /// Where this machine gets Debian's packages from.
    public static String usualMirror() throws GuestFailedException, IOException, InterruptedException {
        return Apt.ofMachine()
                .mirrorOfDebian()
                .orElseThrow(() -> new GuestFailedException("this machine's apt has no mirror of Debian among its"
                        + " sources, or no lists yet (apt-get update): name one with --mirror"));
    }

    /// The packages that it was made of; there are newer kernels among them.
    Apt apt() {
        return Apt.configuredBy(folder.resolve("apt/apt.conf"));
    }

    /// Fetches and unpacks it. What an earlier try has fetched is not fetched again.
    ///
    /// @param mirror where Debian's packages are, as `sources.list` would have it
    public void prepare(String mirror, Consumer<String> progress)
            throws GuestFailedException, IOException, InterruptedException {
        configure(mirror);
        progress.accept("fetching Debian's lists of packages: " + String.join(", ", SUITES));
        apt().run("apt-get", folder, _ -> {}, "update");
        Path root = folder.resolve("root");
        if (!Files.isDirectory(root)) {
            download(progress);
            unpack(root, progress);
        }
        apt().run("apt-get", folder, _ -> {}, "clean");
        String firmware = "-L '" + root.resolve("usr/share/qemu") + "' -L '" + root.resolve("usr/share/seabios") + "'";
        script(virtiofsd(), root.resolve("usr/libexec/virtiofsd"), "");
        script(qemu(), root.resolve("usr/bin/qemu-system-x86_64"), firmware);
    }

    private void configure(String mirror) throws IOException {
        String signedBy = Files.exists(KEYS) ? "[signed-by=" + KEYS + "] " : ""; // else with the keys that apt trusts
        Path apt = folder.resolve("apt");
        Files.createDirectories(apt.resolve("lists/partial"));
        Files.createDirectories(apt.resolve("cache/archives/partial"));
        Files.writeString(apt.resolve("status"), ""); // nothing is installed: all that is needed is fetched
        Files.write(
                apt.resolve("sources.list"),
                SUITES.stream()
                        .map(suite -> "deb " + signedBy + mirror + " " + suite + " main")
                        .toList());
        Files.writeString(apt.resolve("apt.conf"), """
                Dir::State "%1$s";
                Dir::State::lists "%1$s/lists";
                Dir::State::status "%1$s/status";
                Dir::Cache "%1$s/cache";
                Dir::Etc::sourcelist "%1$s/sources.list";
                Dir::Etc::sourceparts "/dev/null";
                Dir::Etc::preferences "/dev/null";
                Dir::Etc::preferencesparts "/dev/null";
                APT::Architecture "amd64";
                APT::Install-Recommends "false";
                APT::Sandbox::User "root";
                Acquire::Languages "none";
                Acquire::GzipIndexes "true";
                #clear APT::Architectures;
                #clear APT::Update::Post-Invoke;
                #clear APT::Update::Post-Invoke-Success;
                #clear Acquire::IndexTargets::deb::DEP-11;
                """.formatted(apt));
    }

    private void download(Consumer<String> progress) throws GuestFailedException, IOException, InterruptedException {
        List<Long> sizes = new ArrayList<>();
        install(
                "--print-uris",
                line -> Optional.of(FILE.matcher(line))
                        .filter(Matcher::matches)
                        .ifPresent(file -> sizes.add(Long.parseLong(file.group(1)))));
        long bytes = sizes.stream().mapToLong(Long::longValue).sum();
        progress.accept("fetching " + sizes.size() + " packages, " + Apt.megabytes(bytes));
        install(
                "--download-only",
                line -> Optional.of(GET.matcher(line))
                        .filter(get -> get.matches() && get.group(1).endsWith("0"))
                        .ifPresent(get -> progress.accept("fetching package " + get.group(1) + " of " + sizes.size())));
    }

    private void install(String how, Consumer<String> lines)
            throws GuestFailedException, IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("install", "--yes", how));
        arguments.addAll(PACKAGES);
        apt().run("apt-get", folder, lines, arguments.toArray(String[]::new));
    }

    private void unpack(Path root, Consumer<String> progress)
            throws GuestFailedException, IOException, InterruptedException {
        List<Path> debs;
        try (Stream<Path> files = Files.list(folder.resolve("apt/cache/archives"))) {
            debs = files.filter(file -> file.toString().endsWith(".deb")).toList();
        }
        progress.accept("unpacking " + debs.size() + " packages");
        try (TemporaryFolder work = TemporaryFolder.in(folder, "work-")) {
            Path unpacked = Files.createDirectory(work.path().resolve("root"));
            for (String merged :
                    List.of("bin", "lib", "lib64", "sbin")) { // as base-files does where packages are installed
                Files.createDirectories(unpacked.resolve("usr").resolve(merged));
                Files.createSymbolicLink(unpacked.resolve(merged), Path.of("usr", merged));
            }
            for (Path deb : debs) {
                HostTool.find("dpkg-deb", "dpkg").run(folder, "-x", deb.toString(), unpacked.toString());
            }
            Files.move(unpacked, root, StandardCopyOption.ATOMIC_MOVE); // whoever sees it sees all of it
        }
    }

    /// A program of another release needs the C library and the dynamic linker of that release too.
    private void script(Path script, Path program, String options) throws IOException {
        Path root = folder.resolve("root");
        Files.createDirectories(script.getParent());
        Files.writeString(script, """
                #!/bin/sh
                # Starts a program of another Debian release with that release's own libraries.
                export QEMU_MODULE_DIR='%1$s/qemu'
                exec '%1$s/ld-linux-x86-64.so.2' --argv0 '%2$s' --library-path '%1$s' '%2$s' %3$s "$@"
                """.formatted(root.resolve(LIBRARIES), program, options));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
