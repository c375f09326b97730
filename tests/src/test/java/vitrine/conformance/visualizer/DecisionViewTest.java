package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.paint.Part;
import vitrine.visualizer.paint.RecordingPainter;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.sheet.Subject;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;
import vitrine.visualizer.view.DecisionView;

/// A decision, with all that could have come of it.
class DecisionViewTest {

    /// These compare numbers, so that a table of theirs would have no end.
    private static final Set<String> OF_NUMBERS = Set.of(
            "read-ahead: window",
            "read-ahead: send?",
            "queue: which",
            "background: send?",
            "direct: bytes of a request");

    /// Of each decision of each scenario one line was taken, and there is one that was not.
    ///
    /// Seen to catch: a rule that is not among those that the table knows; CAP_FSETID not known for
    /// capFsetid.
    @Test
    void everyDecisionHasTheLineThatWasTakenAndOthers() {
        List<String> findings = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Scenario scenario : Gallery.ALL) {
            Run run = Runs.of(scenario.name());
            for (int n = 0; n < run.size(); n++) {
                if (run.event(n) instanceof TraceEvent.GuestDecision decision
                        && seen.add(decision.rule() + decision.outcome() + decision.inputs())) {
                    List<Part> lines = lines(run, n);
                    long taken = lines.stream()
                            .filter(line -> line.says().endsWith("This line was taken."))
                            .count();
                    if (taken != 1 || lines.size() < 2 && !OF_NUMBERS.contains(decision.rule())) {
                        findings.add(decision + ": " + lines);
                    }
                }
            }
        }
        assertEquals(List.of(), findings);
    }

    /// What was not taken says by which input, and what would have come of it (fuse: FUSE_WRITE).
    @Test
    void linesSayWhatComesOfWhichInputs() {
        Run run = Runs.of("patch-guest-kills");
        for (int n = 0; n < run.size(); n++) {
            if (run.event(n) instanceof TraceEvent.GuestDecision decision
                    && decision.rule().equals("kill: told to the server?")) {
                List<String> says = lines(run, n).stream().map(Part::says).toList();
                assertTrue(says.contains("If direct yes, CAP_FSETID no: yes."), says.toString());
                assertTrue(
                        says.contains("If direct no, HANDLE_KILLPRIV_V2 no: no. This line was taken."),
                        says.toString());
                return;
            }
        }
        throw new AssertionError("nothing was decided");
    }

    private static List<Part> lines(Run run, int n) {
        RecordingPainter recorder = new RecordingPainter();
        Session session = Session.START.at(n + 1).select("event-" + n);
        new DecisionView().paint(Subject.of(run, session, 1440, 900), recorder);
        return recorder.parts().stream()
                .filter(part -> part.id().startsWith("rule-line-"))
                .toList();
    }
}
