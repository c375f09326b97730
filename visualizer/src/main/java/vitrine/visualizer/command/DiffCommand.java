package vitrine.visualizer.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.visualizer.export.Tables;
import vitrine.visualizer.timeline.Difference;
import vitrine.visualizer.timeline.Run;

/// `vitrine diff A B`: which requests two runs of one program have in common.
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "%nExit status, as of diff(1):%n",
        exitCodeList = {"0:the same requests", "1:some differ", "2:trouble: wrong usage, or no such run"},
        description = "Compares two runs of one program, request by request. A and B are scenarios or capture files.",
        footer = {
            "",
            "Example: what HANDLE_KILLPRIV_V2 spares, as a table for a page",
            "  ./vitrine diff killpriv-off killpriv-on --md",
            "",
            "= the same request, != the same kind with other arguments,",
            "- only in A, + only in B."
        })
public final class DiffCommand implements Callable<Integer> {

    private static final int DIFFERENT = 1;
    private static final int NARROWEST = 60;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "A scenario or a capture file.")
    private String first;

    @Parameters(index = "1", paramLabel = "B", description = "Another one.")
    private String second;

    @Option(names = "--md", description = "As a Markdown table, with what it took.")
    private boolean markdown;

    @Option(
            names = "--width",
            defaultValue = "100",
            paramLabel = "COLUMNS",
            description = "Of the page, 60 or more. Default: 100.")
    private int width;

    /// Prints the comparison; 1 if there is a difference.
    @Override
    public Integer call() throws IOException {
        if (width < NARROWEST) {
            throw new IllegalArgumentException("--width=" + width + ": " + NARROWEST + " columns or more");
        }
        Run a = Opened.run(first);
        Run b = Opened.run(second);
        List<String> lines = markdown ? Tables.markdown(a, b) : Tables.plain(a, b, width);
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        out.flush();
        return Difference.of(a, b).isNone() ? 0 : DIFFERENT;
    }
}
