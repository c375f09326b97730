package vitrine.visualizer.export;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.sheet.Lane;
import vitrine.visualizer.sheet.Wording;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// A sequence diagram in the language of Mermaid, which Markdown pages can show.
public final class Mermaid {

    private Mermaid() {}

    /// Writes what some requests brought about, without the accesses to the ring.
    public static void write(Run run, List<Story> stories, Appendable out) throws IOException {
        out.append("sequenceDiagram\n");
        for (Lane lane : Lane.values()) {
            out.append("    participant ")
                    .append(lane.letter())
                    .append(" as ")
                    .append(lane.title())
                    .append('\n');
        }
        int[] events = stories.stream()
                .flatMapToInt(story -> IntStream.of(run.stories().events(story.number())))
                .filter(n -> run.kind(n) != Kind.RING_ACCESS)
                .sorted()
                .toArray();
        for (int n : events) {
            TraceEvent event = run.event(n);
            Lane from = Lane.from(event);
            Lane to = Lane.to(event);
            String text = plain(Wording.label(event));
            out.append("    ");
            if (from == to) {
                out.append("Note over ")
                        .append(from.letter())
                        .append(": ")
                        .append(text)
                        .append('\n');
            } else {
                out.append(from.letter()).append(text.contains("spared") ? "-->>" : "->>");
                out.append(to.letter()).append(": ").append(text).append('\n');
            }
        }
    }

    /// What would end a line or begin an entity there.
    private static String plain(String text) {
        return text.replace(";", ",").replace("#", "no. ").replaceAll("[\\p{Cntrl}<>]", "?");
    }
}
