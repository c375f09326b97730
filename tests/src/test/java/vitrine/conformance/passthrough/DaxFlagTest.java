package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import vitrine.conformance.dax.ObedientMapper;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;
import vitrine.fuse.flag.AttrFlag;
import vitrine.passthrough.PassthroughOptions;

/// The mark of a file is asked for once, and told to the guest as it is now, whatever somebody on
/// the host does.
class DaxFlagTest {

    private static final int FILES = 3;

    private static Path directory;
    private static Mounted coarse;
    private static Administrator administrator;

    /// Another process, which marks files as it is told.
    private record Administrator(Process shell, Writer orders, BufferedReader answers) {

        static Administrator working() throws IOException {
            Process shell = new ProcessBuilder(
                            "sh",
                            "-c",
                            "while read -r mark file; do chattr \"$mark\" \"$file\" && echo done || echo failed; done")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Administrator(shell, shell.outputWriter(), shell.inputReader());
        }

        void mark(Path file, boolean on) throws IOException {
            orders.write((on ? "+x " : "-x ") + file + "\n");
            orders.flush();
        }

        boolean isAtWork() throws IOException {
            return !answers.ready();
        }

        void await() throws IOException {
            assertEquals("done", answers.readLine());
        }
    }

    /// What happens; `toString` is how it reads.
    private record Step(String text, Deed deed) {
        @Override
        public String toString() {
            return text;
        }
    }

    private interface Deed {
        void on(Path[] files, Guest guest) throws Exception;
    }

    @BeforeContainer
    static void begin() throws Exception {
        Needs.root();
        Needs.tool("chattr", "e2fsprogs");
        directory = Files.createTempDirectory("dax-flag");
        coarse = Mounted.ext4(Files.createDirectory(directory.resolve("coarse")), "-I", "128");
        administrator = Administrator.working();
    }

    @AfterContainer
    static void end() throws Exception {
        administrator.shell.destroy();
        coarse.close();
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.toList().reversed()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static boolean isDax(Guest guest, Path file) throws Exception {
        String name = file.getFileName().toString();
        return AttrFlag.DAX.in(guest.lookup(Guest.ROOT, name).attr().flags());
    }

    /// On the file system of this machine's temporary files, and on an ext4 with inodes of 128
    /// bytes, which keeps whole seconds: there a mark may change often within one ctime.
    ///
    /// Seen to catch: DaxFlag.isSet that believes an answer whatever the ctime; with `keeps` always
    /// true; a tick for whole seconds as short as the others.
    @Property(tries = 24, shrinking = ShrinkingMode.BOUNDED)
    void aMarkIsNeverStale(@ForAll("histories") List<Step> history, @ForAll boolean wholeSeconds) throws Exception {
        Path share = Files.createTempDirectory(wholeSeconds ? coarse.where() : directory, "share");
        Path[] files = new Path[FILES];
        for (int i = 0; i < FILES; i++) {
            files[i] = Files.createFile(share.resolve("f" + i));
            DaxMark.needed(files[i]);
        }
        Window window = new Window(SYS, Window.SMALLEST, SYS::dup);
        window.use(new ObedientMapper());
        PassthroughOptions options = PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Marked(true));
        try (Guest guest = new Guest(share, options, Guest.ALL_FLAGS, window)) {
            for (Step step : history) {
                step.deed.on(files, guest);
            }
            for (Path file : files) {
                assertEquals(DaxMark.isSet(file), isDax(guest, file));
            }
        }
    }

    private static void look(Path file, Guest guest) throws Exception {
        assertEquals(DaxMark.isSet(file), isDax(guest, file));
    }

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Integer> which = Arbitraries.integers().between(0, FILES - 1);
        Arbitrary<Boolean> marked = Arbitraries.of(true, false);
        Arbitrary<Step> look = which.map(i -> new Step("look at " + i, (files, guest) -> look(files[i], guest)));
        Arbitrary<Step> mark = Combinators.combine(which, marked)
                .as((i, on) -> new Step((on ? "mark " : "unmark ") + i, (files, guest) -> {
                    administrator.mark(files[i], on);
                    administrator.await();
                    look(files[i], guest);
                }));
        Arbitrary<Step> both = Combinators.combine(which, marked)
                .as((i, on) -> new Step((on ? "mark " : "unmark ") + i + " while looking", (files, guest) -> {
                    administrator.mark(files[i], on);
                    while (administrator.isAtWork()) {
                        isDax(guest, files[i]);
                    }
                    administrator.await();
                    look(files[i], guest);
                }));
        Arbitrary<Step> pause =
                Arbitraries.integers().between(1, 25).map(ms -> new Step("pause " + ms, (_, _) -> Thread.sleep(ms)));
        return Arbitraries.frequencyOf(Tuple.of(6, look), Tuple.of(2, mark), Tuple.of(3, both), Tuple.of(2, pause))
                .list()
                .ofMinSize(5)
                .ofMaxSize(40);
    }
}
