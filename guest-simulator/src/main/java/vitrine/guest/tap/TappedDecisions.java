package vitrine.guest.tap;

import java.util.List;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.GuestDecision;

/// Tells a trace of each decision of the guest's kernel.
public record TappedDecisions(Recorder recorder) implements Decisions {

    @Override
    public void decided(String rule, String inputs, String outcome) {
        Recorder kernel = recorder.as(Actor.GUEST_KERNEL);
        kernel.add(new GuestDecision(
                kernel.stamp(TappedKernel.keys()), rule, outcome, List.of(new Field("inputs", inputs))));
    }
}
