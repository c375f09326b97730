package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import vitrine.fuse.Opcode;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.anatomy.Anatomy;
import vitrine.visualizer.anatomy.Meaning;
import vitrine.visualizer.anatomy.Member;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Scenario;
import vitrine.visualizer.timeline.Run;

/// Bytes into fields: each byte belongs to one, whatever the bytes are.
class AnatomyTest {

    @Property(tries = 200)
    void anyBytesAreCutIntoFieldsWithoutGapsOrOverlaps(
            @ForAll Opcode opcode, @ForAll @Size(max = 300) byte[] bytes, @ForAll boolean reply) {
        List<Member> members = reply ? Anatomy.ofReply(opcode.name(), bytes) : Anatomy.ofRequest(opcode.name(), bytes);

        int end = 0;
        for (Member member : members) {
            assertEquals(end, member.offset(), member.field());
            end += member.bytes().length;
        }
        assertEquals(bytes.length, end);
    }

    /// The opcode and the names of a request are where its own decoder found them.
    ///
    /// Seen to catch: a name without the zero byte that ends it.
    @Test
    void fieldsSayWhatTheDaemonUnderstood() {
        for (Scenario scenario : Gallery.ALL) {
            Run run = Runs.of(scenario.name());
            for (int n = 0; n < run.size(); n++) {
                if (run.event(n) instanceof TraceEvent.RequestDecoded request) {
                    List<Member> members =
                            Anatomy.ofRequest(request.opcode(), request.raw().toArray());
                    assertEquals(request.opcode(), value(members, "opcode").replaceAll("\\d+ ", ""));
                    request.fields().stream()
                            .filter(field -> field.name().endsWith("name"))
                            .forEach(field -> assertEquals(field.value(), value(members, field.name())));
                }
            }
        }
    }

    private static String value(List<Member> members, String field) {
        return members.stream()
                .filter(member -> member.field().equals(field))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void everyFieldOfTheHeaderHasASentence() {
        for (Member member : Anatomy.ofRequest("GETATTR", new byte[56])) {
            assertFalse(
                    member.struct().equals("fuse_in_header")
                            && Meaning.of(member).sentence().isEmpty(),
                    member.field());
            assertFalse(Meaning.of(member).reference().isEmpty());
        }
    }
}
