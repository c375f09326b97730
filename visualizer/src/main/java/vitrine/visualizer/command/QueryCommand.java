package vitrine.visualizer.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import vitrine.posix.Errno;
import vitrine.visualizer.query.Answer;
import vitrine.visualizer.query.Query;
import vitrine.visualizer.query.QueryException;
import vitrine.visualizer.query.Unit;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Digest;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// `vitrine query RUN QUESTION`.
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "%nExit status, as of grep(1):%n",
        exitCodeList = {
            "0:yes; a number; something was found",
            "1:no; nothing was found",
            "2:trouble: wrong usage, or no such run"
        },
        description = "Asks a run a question. RUN is a scenario or a capture file.",
        footer = {
            "",
            "Example: how many, which, and is that all right?",
            "  ./vitrine query killpriv-off 'count(op == GETXATTR)'",
            "  ./vitrine query run.pcapng 'op == WRITE && size > 4KiB && lat > 20us'",
            "  ./vitrine query run.pcapng 'host.syscall == \"fgetxattr\" || failed'",
            "  ./vitrine query run.pcapng 'count(kick) / count(req) < 1 && p99(lat) < 1ms'",
            "  ./vitrine query run.pcapng 'p50(lat, op == READ)'",
            "",
            "Of requests: op, lat, failed, error, unique, queue, syscall, uid, killpriv,",
            "and whatever a request or its reply says, as size or nodeid. Of events:",
            "host.syscall, host.error, host.time, queued, popped, decoded, replied,",
            "pushed, kick, kick.spared, call, call.spared, syscall.name, decision.rule,",
            "ring, within(syscall 3). Numbers: count, sum, min, max, mean, p50, p90, p99.",
            "",
            "lat is from queueing (or taking) to giving back, host.time what a system",
            "call took. Numbers may have ns, us, ms, s, KiB, MiB behind them; answers",
            "name their unit, and of a time whether it is measured or the model's."
        })
public final class QueryCommand implements Callable<Integer> {

    private static final int NO = 1;
    private static final int WRONG = 2;

    private static final Pattern OF_THE_GUEST =
            Pattern.compile("(?<![\\w.\"])(kick|queued|syscall\\.name|decision\\.rule|ring)\\b");
    private static final String UNSEEN = "note: this is what a daemon noted of itself. Kicks, the guest's system "
            + "calls and its decisions are not seen from there, and not counted.";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "RUN", description = "A scenario or a capture file.")
    private String run;

    @Parameters(index = "1", paramLabel = "QUESTION", description = "In quotes, so that the shell leaves it alone.")
    private String question;

    @Option(
            names = "--limit",
            defaultValue = "50",
            paramLabel = "N",
            description = "At most so many lines. Default: 50.")
    private int limit;

    /// Prints the answer.
    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (limit < 0) {
            throw new IllegalArgumentException("--limit=" + limit + ": 0 or more");
        }
        try {
            Query query = Query.parse(question); // before the run is opened, which may take a while
            Run opened = Opened.run(run);
            int code = tell(query.ask(opened), opened, out);
            if (opened.isOfADaemon() && OF_THE_GUEST.matcher(question).find()) {
                spec.commandLine().getErr().println(UNSEEN);
            }
            out.flush();
            return code;
        } catch (QueryException e) {
            spec.commandLine().getErr().println(e.pointingInto(question));
            return WRONG;
        }
    }

    private int tell(Answer answer, Run opened, PrintWriter out) {
        return switch (answer) {
            case Answer.Truth(boolean yes) -> {
                out.println(yes ? "yes" : "no");
                yield yes ? 0 : NO;
            }
            case Answer.Amount(double value, Unit unit) -> {
                out.println(shown(value, unit, opened));
                yield 0;
            }
            case Answer.Selected selected -> {
                if (selected.ofRequests()) {
                    requests(opened, selected.events(), out);
                } else {
                    events(opened, selected.events(), out);
                }
                String what = selected.ofRequests() ? " requests" : " events";
                out.println(selected.count() + (selected.count() == 1 ? what.substring(0, what.length() - 1) : what));
                yield selected.count() > 0 ? 0 : NO;
            }
        };
    }

    /// A number with its unit; a time also says whose clock it is of.
    private static String shown(double value, Unit unit, Run opened) {
        if (Double.isNaN(value)) {
            return "there is nothing to compute this from";
        }
        String plain = value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
        return switch (unit) {
            case NONE -> plain;
            case BYTES -> plain + " bytes";
            case TIME -> "%s (%s ns, %s)".formatted(Wording.time(Math.round(value)), plain, clock(opened));
        };
    }

    private static String clock(Run opened) {
        return "model".equals(opened.about().get("time")) ? "model" : "measured";
    }

    private void requests(Run opened, BitSet events, PrintWriter out) {
        opened.stories().all().stream()
                .filter(story -> events.get(story.begin()))
                .limit(limit)
                .forEach(story -> out.println("#%-4d %-60s %10s %10s"
                        .formatted(
                                story.number() + 1,
                                Digest.of(opened, story),
                                story.error() == 0 ? "OK" : Errno.name(story.error()),
                                time(story))));
    }

    private static String time(Story story) {
        boolean whole = story.waits() != Story.NEVER && story.pushed() != Story.NEVER;
        return whole ? Wording.time(story.pushed() - story.waits()) : "-";
    }

    private void events(Run opened, BitSet events, PrintWriter out) {
        events.stream()
                .limit(limit)
                .forEach(n -> out.println("%6d  %s".formatted(n + 1, Wording.sentence(opened.event(n)))));
    }
}
