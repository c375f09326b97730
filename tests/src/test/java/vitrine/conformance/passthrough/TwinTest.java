package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.passthrough.Step.What;
import vitrine.conformance.posix.HostKernel;
import vitrine.conformance.rules.Needs;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;

/// The differential test: what a program gets through FUSE is what it would have got on the host.
class TwinTest {

    /// Any history of calls ends the same, step by step and as a tree, in a shared directory
    /// through the file system and in a twin of it through the host's system calls.
    ///
    /// Caught: unknown flags of a rename dropped, and its two names exchanged; UNLINK that removes
    /// directories; set-ID bits missing from a chmod, the group from a chown; O_APPEND at the
    /// guest's offset; the offsets of a copy mixed up; the flags of SETXATTR ignored.
    @Property(tries = 100)
    void theShareIsTheHostsDirectory(
            @ForAll("histories") List<Step> history, @ForAll CachePolicy policy, @ForAll FileHandleUse use)
            throws Exception {
        Needs.root();
        Path directory = Files.createTempDirectory("twins");
        try {
            Path shared = Files.createDirectories(directory.resolve("shared"));
            Path twin = Files.createDirectories(directory.resolve("twin"));
            PassthroughOptions options = PassthroughOptions.DEFAULT
                    .with(Feature.XATTR)
                    .withCache(policy)
                    .withFileHandles(HostKernel.hasFileHandles(directory) ? use : FileHandleUse.NEVER);
            List<String> results = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            try (Guest guest = new Guest(shared, options);
                    HostTwin host = new HostTwin(guest.sys, twin)) {
                GuestTwin asGuest = new GuestTwin(guest);

                for (Step step : history) {
                    results.add(step + " -> " + asGuest.take(step));
                    expected.add(step + " -> " + host.take(step));
                }

                assertEquals(expected, results);
                assertEquals(tree(twin), tree(shared));
            }
        } finally {
            delete(directory);
        }
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<What> what = Arbitraries.of(What.class);
        Arbitrary<String> place = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(3, Arbitraries.just("")), net.jqwik.api.Tuple.of(2, Arbitraries.of("a", "b")));
        Arbitrary<String> name = Arbitraries.of("a", "b", "c");
        Arbitrary<Integer> number = Arbitraries.integers().between(0, 7);
        return Combinators.combine(what, place, name, place, name, number)
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    private static void delete(Path tree) throws Exception {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /// All there is to see of a tree, but inode numbers and times.
    private static String tree(Path root) throws Exception {
        StringBuilder tree = new StringBuilder();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted().toList()) {
                var attributes = Files.readAttributes(
                        path, "unix:mode,uid,gid,nlink,size,rdev", java.nio.file.LinkOption.NOFOLLOW_LINKS);
                tree.append(root.relativize(path)).append(' ').append(new java.util.TreeMap<>(attributes));
                if (Files.isSymbolicLink(path)) {
                    tree.append(" -> ").append(Files.readSymbolicLink(path));
                } else if (Files.isRegularFile(path)) {
                    tree.append(' ').append(java.util.Arrays.hashCode(Files.readAllBytes(path)));
                }
                tree.append('\n');
            }
        }
        // The size of a directory depends on what was in it; both have had the same in them.
        return tree.toString();
    }
}
