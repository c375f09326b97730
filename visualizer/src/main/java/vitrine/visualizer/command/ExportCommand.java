package vitrine.visualizer.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.visualizer.export.Csv;
import vitrine.visualizer.export.Mermaid;
import vitrine.visualizer.export.Perfetto;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// `vitrine export LINK --perfetto|--csv|--mermaid`: a run for other tools.
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = "Writes a run for other tools. LINK is a scenario or a capture file, then @MOMENT.",
        footer = {
            "",
            "Example: a run in ui.perfetto.dev, and one system call as a diagram",
            "  ./vitrine export run.pcapng --perfetto -o run.json",
            "  ./vitrine export killpriv-off@call-6 --mermaid",
            "  ./vitrine export first-byte --csv -o events.csv",
            "",
            "--csv has a line an event: event (from 0), nanos (since the first event),",
            "actor, kind, request and call (which one it belongs to, from 1; 0 for none),",
            "queue and head (-1 for none), unique, errno (0 for none), and what: the words",
            "that the window shows. --perfetto has those words as the argument 'what' of",
            "each slice and each instant; a track for each lane, times in microseconds.",
            "--mermaid is for Markdown pages: put it between ```mermaid and ```."
        })
public final class ExportCommand implements Callable<Integer> {

    private static final int MOST_REQUESTS = 50; // of a diagram that somebody may want to read

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "LINK", description = "What to export.")
    private String link;

    @ArgGroup(multiplicity = "1")
    private Form form;

    static final class Form {
        @Option(names = "--perfetto", description = "Trace-event JSON, for ui.perfetto.dev and chrome://tracing.")
        private boolean perfetto;

        @Option(names = "--csv", description = "A line an event, for a spreadsheet.")
        private boolean csv;

        @Option(names = "--mermaid", description = "A sequence diagram of the system call at @MOMENT.")
        private boolean mermaid;
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where to. Default: standard output.")
    private Path output;

    /// Writes it.
    @Override
    public Integer call() throws IOException {
        Opened opened = Opened.of(link);
        Looking.note(opened, spec);
        if (output == null) {
            PrintWriter out = spec.commandLine().getOut();
            write(opened, out);
            out.flush();
        } else {
            try (Writer out = Files.newBufferedWriter(output)) {
                write(opened, out);
            }
        }
        return 0;
    }

    private void write(Opened opened, Appendable out) throws IOException {
        Run run = opened.run();
        if (form.perfetto) {
            Perfetto.write(run, out);
        } else if (form.csv) {
            Csv.write(run, out);
        } else {
            Mermaid.write(run, stories(opened), out);
        }
    }

    /// Those of the system call at the moment of the link.
    private static List<Story> stories(Opened opened) {
        Run run = opened.run();
        Story story = opened.session()
                .story(run)
                .orElseThrow(() -> new IllegalArgumentException("this run has no request to draw"));
        List<Story> together =
                story.call() == 0 ? List.of(story) : run.stories().ofCall(story.call());
        return together.subList(0, Math.min(together.size(), MOST_REQUESTS));
    }
}
