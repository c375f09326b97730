package vitrine.visualizer.export;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.trace.Keys;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Run;

/// A line an event, for a spreadsheet (RFC 4180).
public final class Csv {

    private static final String HEADING = "event,nanos,actor,kind,request,call,queue,head,unique,errno,what\r\n";

    private Csv() {}

    /// Writes a run.
    public static void write(Run run, Appendable out) throws IOException {
        out.append(HEADING);
        for (int n = 0; n < run.size(); n++) {
            TraceEvent event = run.event(n);
            Keys keys = event.at().keys();
            out.append(line(
                    n,
                    run.nanos(n) - run.begin(),
                    run.actor(n).title(),
                    run.kind(n).name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    run.stories().numberOf(n) + 1,
                    run.guestCall(n),
                    keys.queue(),
                    keys.head(),
                    Long.toUnsignedString(keys.unique()),
                    run.error(n),
                    Wording.label(event)));
        }
    }

    private static String line(Object... values) {
        return Stream.of(values).map(value -> cell(String.valueOf(value))).collect(Collectors.joining(",")) + "\r\n";
    }

    /// A cell that begins like a formula would be one to a spreadsheet.
    private static String cell(String text) {
        String safe = !text.isEmpty() && "=+@".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return safe.matches("[^\",\r\n]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }
}
