package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.conformance.rules.Repository;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.guest.experiment.ExperimentCommand;
import vitrine.guest.workload.Unaware;

/// The experiments say what was reported, what the model predicts and what was measured, and which
/// direction that is.
@Timeout(120)
class ExperimentTest {

    private static final int TRIES = 5; // other programs run as well, and a moment is short

    /// For the DAX window, which `append` needs.
    private static void needsWindow() {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
    }

    private static Ours experiment(String line) {
        return Ours.run(new ExperimentCommand(), List.of((line + " -q").split(" ")));
    }

    /// The figures of each row, by their label.
    private static Map<String, Map<String, List<String>>> figures(String out) {
        Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
        String row = "";
        for (String line : out.lines().toList()) {
            if (line.matches("\\S.* \\((MiB/s|µs)\\)")) {
                row = line.replaceAll(" +\\(.*", "");
                rows.put(row, new LinkedHashMap<>());
            } else if (line.matches("  (reported|model|measured) .*")) {
                String[] words = line.strip().split(" ", 2);
                List<String> cells = Arrays.stream(
                                words[1].strip().replace("fitted to ", "").split(" +(?=[0-9])"))
                        .toList();
                rows.get(row).put(words[0], cells);
            }
        }
        return rows;
    }

    /// The table in the documentation is what the model says now.
    ///
    /// Caught: a figure in the table that was changed; a write path that is the other one.
    @Test
    void theDocumentationHasThePredictions() {
        needsWindow();

        Ours ours = experiment("all --rounds=0");

        assertEquals(0, ours.exit(), () -> ours.out() + ours.err());
        List<String> missing = new ArrayList<>();
        String documentation = Repository.read("docs/experiments.md");
        figures(ours.out()).forEach((row, labels) -> {
            String line = "| " + row + " | " + String.join(", ", labels.getOrDefault("reported", List.of("–"))) + " | "
                    + String.join(", ", labels.getOrDefault("model", List.of("–"))) + " |";
            if (!documentation.contains(line)) {
                missing.add(line);
            }
        });
        assertEquals("", String.join("\n", missing), "missing in docs/experiments.md");
    }

    /// By which requests, and which system calls.
    ///
    /// Caught: a first operation that is counted too, which asks once what is never asked again; an
    /// append by another strategy; pages that lie side by side, so that there is nothing to gather.
    @Test
    void whatAnOperationTakesIsShown() {
        String out = experiment("killpriv --rounds=0").out();

        assertTrue(out.contains("off          GETXATTR, WRITE: getxattr, pwritev2\n"), out);
        assertTrue(out.contains("on           WRITE: pwritev2\n"), out);

        String gather = experiment("gather --rounds=0").out();
        assertTrue(gather.contains("page by page WRITE: pwritev2 256\n"), gather);
        assertTrue(gather.contains("gathered     WRITE: pwritev2\n"), gather);

        needsWindow();
        String append = experiment("append --rounds=0").out();
        assertTrue(
                append.contains("FALLOCATE: a crash after FALLOCATE leaves 5 bytes, 00 00 00 00 00: longer, and zeros"),
                append);
        assertTrue(append.contains("DAX today: a crash after WRITE leaves 5 bytes, 66 69 76 65 0a: all of it"), append);
    }

    /// The matrix: only who has to look for attributes pays, and only if the server could have told
    /// that it need not.
    ///
    /// Caught: a kernel of the matrix that has the feature in both columns.
    @Test
    void onlyTheCellsWithAttributesAndAServerThatKnowsItPay() {
        figures(experiment("matrix --rounds=0").out()).forEach((row, labels) -> {
            boolean pays = row.contains("xattr") && !row.contains("server without");
            assertEquals(!pays, labels.get("model").getLast().endsWith("×1.00"), row + labels);
        });
    }

    /// Measured, as short as can be: the direction is that of the sources.
    ///
    /// Caught, for killpriv and lookup: settings whose names are exchanged.
    @ParameterizedTest
    @ValueSource(strings = {"killpriv", "gather", "lookup", "append"})
    void theDirectionIsAsReported(String name) {
        needsWindow();
        List<Ours> runs = new ArrayList<>();
        assertTrue(
                IntStream.range(0, TRIES).anyMatch(_ -> {
                    runs.add(experiment(name + " --rounds=3 --slice=50"));
                    return runs.getLast().exit() == 0;
                }),
                () -> runs.getLast().out() + runs.getLast().err());
        figures(runs.getLast().out()).forEach((row, labels) -> assertTrue(labels.containsKey("measured"), row));
    }

    /// The real fio, and this host's kernel.
    @Test
    void theRealKernelAndTheRealFioMeasureToo() {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Needs.tool("fio", "fio");

        Ours ours = experiment("killpriv --guest=bridge --rounds=1 --slice=50");

        assertEquals("", ours.err());
        figures(ours.out()).forEach((row, labels) -> assertTrue(labels.containsKey("measured"), row));
    }

    /// For the table in the documentation, and for programs.
    ///
    /// Caught: the best round of a time taken for that of a speed; a row without its settings.
    @Test
    void figuresAreThereAsMarkdownAndAsJson() {
        String figure = "[0-9.]+ \\(([0-9.]+)–([0-9.]+)\\)";

        List<String> rows = experiment("lookup --rounds=2 --slice=20 --format=markdown")
                .out()
                .lines()
                .toList();
        String json = experiment("lookup --rounds=1 --slice=20 --format=json").out();

        assertEquals(4, rows.size(), () -> String.join("\n", rows));
        for (String row : rows) {
            Matcher matcher = Pattern.compile("\\| lookup, in the (server|client), µs: not asked, (each time|cached)"
                            + " \\| simulator, ours \\| " + figure + " \\| " + figure + " \\| ×[0-9.]+ \\|")
                    .matcher(row);
            assertTrue(matcher.matches(), row);
            assertTrue(Double.parseDouble(matcher.group(3)) >= Double.parseDouble(matcher.group(4)), "worst, best");
        }
        assertTrue(json.contains("\"host_calls\" : {\n"), json);
        assertTrue(json.replaceAll("\\s", "").contains("\"name\":\"notasked\",\"reported\":3.000000"), json);
    }

    /// A kernel without a feature, where the real one has it: its INIT says nothing of it, and
    /// everything else arrives as it is.
    ///
    /// Caught: the flags of the upper word lost; all flags kept.
    @Test
    void whatAKernelShouldNotKnowIsKeptFromTheServer() throws Exception {
        List<FuseRequest> arrived = new ArrayList<>();
        Unaware server = new Unaware(
                request -> {
                    arrived.add(request);
                    return Reply.EMPTY;
                },
                InitFlag.HANDLE_KILLPRIV_V2);
        long both = Flag.word(
                InitFlag.HANDLE_KILLPRIV_V2, InitFlag.BIG_WRITES, InitFlag.INIT_EXT, InitFlag.CREATE_SUPP_GROUP);
        InHeader header = InHeader.of(2, 1, 0, 0, 0);
        FuseRequest other = new InodeRequest.Statfs(header);

        server.answer(new SessionRequest.Init(header, new InitIn(7, 40, 4096, (int) both, (int) (both >>> 32))));
        server.answer(other);

        long left = both & ~InitFlag.HANDLE_KILLPRIV_V2.bit();
        assertEquals(
                List.of(
                        new SessionRequest.Init(header, new InitIn(7, 40, 4096, (int) left, (int) (left >>> 32))),
                        other),
                arrived);
    }

    /// Caught: a picture that is no XML because of a `<`.
    @Test
    void picturesAreDrawn(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("a.svg");
        Path png = folder.resolve("a.PNG");

        assertEquals(0, experiment("killpriv --rounds=0 --plot=" + svg).exit());
        assertEquals(0, experiment("lookup --rounds=0 --plot=" + png).exit());

        var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
        assertEquals(9, picture.getElementsByTagName("rect").getLength(), "a white one, and 2 × 2 × 2 bars");
        assertTrue(Files.readString(svg).contains(">model, on<"));
        assertEquals(900, ImageIO.read(png.toFile()).getWidth());
    }

    /// Caught: an experiment of ours that is done with another daemon, and says nothing.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "speed | 2 | there is killpriv, matrix, append, lookup, gather, and all",
                "killpriv --guest=moon | 2 | simulator, bridge or qemu",
                "killpriv --plot=a.gif | 2 | ends in .svg or .png",
                "killpriv --rounds=-1 | 2 | 0 or more",
                "killpriv --format=xml | 2 | text, markdown or json",
                "killpriv --dir=/nowhere | 1 | no such folder",
                "gather --daemon=c | 1 | only our daemon has several ways",
                "append --daemon=c | 1 | the window is in this process",
                "append --guest=qemu | 1 | the window is in this process; without --daemon and --guest",
                "killpriv --rounds=1 --daemon=nonsense | 1 | the daemon must be `ours`, `c`, `rust`"
            })
    void whatCannotBeDoneIsSaid(String line, int exit, String words) {
        Ours ours = experiment(line);

        assertEquals(exit, ours.exit());
        assertTrue(ours.err().contains(words), ours.err());
    }
}
