package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Debian's package tools, with the lists of packages that this machine has, or with others.
///
/// They are asked, and they download. Nothing is ever installed.
final class Apt {

    private static final Pattern SIZE = Pattern.compile("^Size: (\\d+)$", Pattern.MULTILINE);
    private static final Pattern VERSION = Pattern.compile("^Version: (\\S+)$", Pattern.MULTILINE);
    private static final Pattern DEPENDS = Pattern.compile("^ [ |]Depends: (\\S+)$", Pattern.MULTILINE);

    private static final String DEBIAN = "Debian/Debian/main "; // and not Debian-Security

    private final List<String> configuration;

    private Apt(List<String> configuration) {
        this.configuration = configuration;
    }

    /// Set up as this machine is.
    static Apt ofMachine() {
        return new Apt(List.of());
    }

    /// Set up as this machine is, but for what a file says (apt.conf(5)).
    static Apt configuredBy(Path file) {
        return new Apt(List.of("-c", file.toString()));
    }

    /// Where Debian's packages come from, as `sources.list` has it; if there is such a source.
    Optional<String> mirrorOfDebian() throws GuestFailedException, IOException, InterruptedException {
        return ask("apt-get", "indextargets", "--format", "$(ORIGIN)/$(LABEL)/$(COMPONENT) $(REPO_URI)")
                .lines()
                .filter(line -> line.startsWith(DEBIAN))
                .map(line -> line.substring(DEBIAN.length()))
                .findFirst();
    }

    /// All packages that it knows whose names begin so.
    List<String> names(String beginning) throws GuestFailedException, IOException, InterruptedException {
        return ask("apt-cache", "pkgnames", beginning).lines().toList();
    }

    /// What a package depends on, by name.
    List<String> depends(String debianPackage) throws GuestFailedException, IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        for (Matcher each = DEPENDS.matcher(ask("apt-cache", "depends", debianPackage)); each.find(); ) {
            names.add(each.group(1));
        }
        return names;
    }

    /// Downloads packages into a folder, and gives the files in the same order.
    List<Path> download(List<String> packages, Path folder, Consumer<String> progress)
            throws GuestFailedException, IOException, InterruptedException {
        List<Path> debs = new ArrayList<>();
        for (String debianPackage : packages) {
            String facts = ask("apt-cache", "show", "--no-all-versions", debianPackage);
            progress.accept("fetching " + debianPackage + " " + first(VERSION, facts) + " from Debian ("
                    + megabytes(Long.parseLong(first(SIZE, facts))) + "), once");
            run("apt-get", folder, _ -> {}, "download", debianPackage);
            debs.add(debOf(debianPackage, folder));
        }
        return debs;
    }

    private static Path debOf(String debianPackage, Path folder) throws GuestFailedException, IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(debianPackage + "_"))
                    .findFirst()
                    .orElseThrow(() -> new GuestFailedException("apt-get download left no .deb of " + debianPackage));
        }
    }

    /// What one of apt's programs answers.
    String ask(String program, String... arguments) throws GuestFailedException, IOException, InterruptedException {
        StringBuilder answer = new StringBuilder();
        run(program, Path.of("/"), line -> answer.append(line).append('\n'), arguments);
        return answer.toString();
    }

    /// Runs one of apt's programs in a folder, and hands on what it says, line by line.
    void run(String program, Path folder, Consumer<String> lines, String... arguments)
            throws GuestFailedException, IOException, InterruptedException {
        List<String> all = new ArrayList<>(configuration);
        all.addAll(List.of(arguments));
        HostTool.find(program, "apt").run(folder, lines, all);
    }

    /// A size for people.
    static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }

    private static String first(Pattern pattern, String text) throws GuestFailedException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new GuestFailedException("apt-cache does not say what it used to say of a package:\n" + text);
        }
        return matcher.group(1);
    }
}
