package vitrine.visualizer.query;

import java.util.Optional;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Selection;
import vitrine.visualizer.timeline.Story;

/// The question whose answer is "things like this one": what somebody means who points at it.
public final class Likeness {

    private Likeness() {}

    /// The question that selects events like this one.
    public static String ofEvent(Run run, int n) {
        return switch (run.kind(n)) {
            case GUEST_CALL_ENTERED -> "syscall.name == " + quoted(run.name(n));
            case GUEST_CALL_RETURNED -> "call.returned";
            case GUEST_DECISION -> "decision.rule == " + quoted(run.name(n));
            case REQUEST_QUEUED -> "queued && op == " + run.name(n);
            case REQUEST_DECODED -> "decoded && op == " + run.name(n);
            case REPLY_GIVEN -> "replied" + ofItsRequest(run, n);
            case CHAIN_POPPED -> "popped" + ofItsRequest(run, n);
            case CHAIN_PUSHED -> "pushed" + ofItsRequest(run, n);
            case CHAIN_REFUSED -> "refused";
            case RING_ACCESS -> "ring";
            case NOTIFIED -> Fields.signal(run, n);
            case HOST_CALL -> "host.syscall == " + quoted(run.name(n));
            case CONTROL_MESSAGE -> "control.name == " + quoted(run.name(n));
            case DROPPED -> "dropped";
        };
    }

    private static String ofItsRequest(Run run, int n) {
        return run.stories()
                .of(n)
                .filter(Story::isRequest)
                .map(story -> " && op == " + story.opcode())
                .orElse("");
    }

    /// The question that a part of a picture stands for, by its id (see [Selection]); empty for
    /// parts that stand for nothing that can be asked for, such as a heading.
    ///
    /// @param looked the request that is looked at, to which a field belongs
    public static Optional<String> ofPart(Run run, String part, Optional<Story> looked) {
        Optional<Integer> event = Selection.number(part, "event").filter(n -> n >= 0 && n < run.size());
        if (event.isPresent()) {
            return event.map(n -> ofEvent(run, n));
        }
        if (part.startsWith("request-")) {
            return Selection.story(run, part).map(Likeness::ofStory);
        }
        if (part.startsWith("field-")) {
            return looked.flatMap(story -> ofField(run, story, part.substring(part.lastIndexOf('.') + 1)));
        }
        return Selection.number(part, "call")
                .map(number -> "within(syscall " + number + ")")
                .or(() -> Selection.number(part, "queue").map(number -> "queue == " + number))
                .or(() -> Selection.number(part, "desc").map(number -> "head == " + number));
    }

    private static String ofStory(Story story) {
        return story.isRequest() ? "op == " + story.opcode() : "within(syscall " + story.call() + ")";
    }

    /// A field of the request or its reply, with the value that it has there.
    private static Optional<String> ofField(Run run, Story story, String name) {
        if (name.equals("opcode")) {
            return Optional.of(ofStory(story));
        }
        return Fields.named(name).flatMap(field -> {
            Object value = field.values().of(run, field.ofRequests() ? story.number() : story.begin());
            return switch (value) {
                case null -> Optional.empty();
                case Double number -> Optional.of(name + " == " + number.longValue());
                case Boolean yes -> Optional.of(yes ? name : "!" + name);
                default -> Optional.of(name + " == " + literal(String.valueOf(value)));
            };
        });
    }

    private static String literal(String value) {
        return value.matches("0x[0-9a-fA-F]{1,16}|[0-9]{1,15}") ? value : quoted(value.replaceAll("^\"|\"$", ""));
    }

    private static String quoted(String text) {
        return '"' + text.replace('"', '?') + '"';
    }
}
