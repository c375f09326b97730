package vitrine.conformance.visualizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import vitrine.visualizer.query.Answer;
import vitrine.visualizer.query.Query;
import vitrine.visualizer.query.QueryException;
import vitrine.visualizer.query.Unit;

/// The language of questions: what it finds, and what it says to a slip of the pen.
class QueryTest {

    /// Seen to catch: `<` taken for `<=`.
    @Test
    void questionFindsWhatIsMeant() throws QueryException {
        Map<String, Long> counts = Map.ofEntries(
                Map.entry("op == WRITE", 8L),
                Map.entry("op == WRITE && offset >= 4KiB && offset < 12KiB", 2L),
                Map.entry("op == WRITE && size > 4096", 0L),
                Map.entry("op == GETXATTR && name == \"security.capability\"", 8L),
                Map.entry("error == ENODATA", 8L),
                Map.entry("failed && !(op == GETXATTR)", 0L),
                Map.entry("host.syscall == \"getxattr\"", 8L),
                Map.entry("host.syscall == \"getxattr\" && host.error == ENODATA", 8L),
                Map.entry("within(syscall 4) && host", 2L),
                Map.entry("syscall == 4 && req", 2L),
                Map.entry("lat > 1s", 0L));
        for (Map.Entry<String, Long> entry : counts.entrySet()) {
            Answer.Selected selected =
                    (Answer.Selected) Query.parse(entry.getKey()).ask(Runs.of("killpriv-off"));

            assertEquals(entry.getValue(), selected.count(), entry.getKey());
        }
    }

    @Test
    void questionsAboutTheWholeRunAreANumberOrYesAndNo() throws QueryException {
        assertEquals(
                new Answer.Amount(8, Unit.NONE),
                Query.parse("count(op == WRITE)").ask(Runs.of("killpriv-off")));
        assertEquals(
                new Answer.Amount(8 * 4096, Unit.BYTES),
                Query.parse("sum(size, op == WRITE)").ask(Runs.of("killpriv-off")));
        assertEquals(Unit.TIME, ((Answer.Amount) Query.parse("2 * p50(lat)").ask(Runs.of("killpriv-off"))).unit());
        assertEquals(
                Unit.NONE, ((Answer.Amount) Query.parse("max(lat) / p50(lat)").ask(Runs.of("killpriv-off"))).unit());
        assertEquals(
                new Answer.Truth(true),
                Query.parse("count(op == GETXATTR) / count(op == WRITE) == 1 && p50(lat) < max(lat)")
                        .ask(Runs.of("killpriv-off")));
    }

    /// Seen to catch: no guess for a word with two letters exchanged; a quotient of 0 that is
    /// computed.
    @Test
    void errorPointsAtTheColumnAndSaysWhatToWrite() {
        Map<String, String> complaints = Map.ofEntries(
                Map.entry("op = WRITE", "3: to compare, write =="),
                Map.entry("op == WRIET", "6: there is no request WRIET; did you mean WRITE?"),
                Map.entry("sizee > 4", "0: there is no field sizee; did you mean size?"),
                Map.entry("size > 4 parsecs", "9: here && or || is missing before 'parsecs'"),
                Map.entry("size > 4parsecs", "8: 'parsecs' is no unit; there are ns, us, ms, s, B, KiB, MiB and GiB"),
                Map.entry("", "0: here a question is missing, such as op == WRITE"),
                Map.entry("(op == READ", "11: here ')' is missing to close the one at column 1"),
                Map.entry("op == ", "6: here a value is missing, before the end"),
                Map.entry("name == \"a", "8: this text has no end; a second \" is missing"),
                Map.entry("sum(op == READ)", "7: here a field with numbers is needed, such as lat or size"),
                Map.entry("count(kick) / 0", "14: this is 0, and nothing can be divided by it"),
                Map.entry("lat", "0: compare lat with something, as in lat > 0"));
        complaints.forEach((question, complaint) -> {
            QueryException e = assertThrows(
                    QueryException.class, () -> Query.parse(question).ask(Runs.of("killpriv-off")), question);

            assertEquals(complaint, e.column() + ": " + e.getMessage(), question);
        });
    }

    @Provide
    Arbitrary<String> questions() {
        return Arbitraries.of(
                        "op",
                        "==",
                        "WRITE",
                        "size",
                        ">",
                        "4KiB",
                        "&&",
                        "||",
                        "!",
                        "(",
                        ")",
                        "count(",
                        "lat",
                        "\"x\"",
                        "within(syscall 3)",
                        "-",
                        "/",
                        "0x",
                        "host",
                        ",",
                        "p99(",
                        "~",
                        "=",
                        "\"",
                        "1e9",
                        "µ")
                .list()
                .ofMaxSize(12)
                .map(words -> String.join(" ", words));
    }

    /// Whatever somebody types: an answer, or an exception that knows where.
    @Property(tries = 400)
    void anyWordsAreAQuestionOrAnErrorWithAColumn(@ForAll("questions") String question) {
        try {
            Query.parse(question).ask(Runs.of("killpriv-off"));
        } catch (QueryException e) {
            assertTrue(e.column() >= 0 && e.column() <= question.length(), question + ": " + e.column());
        }
    }

    @Property(tries = 30)
    void negationIsTheRestOfTheRequests(@ForAll("conditions") String condition) throws QueryException {
        BitSet yes = Query.filter(condition, Runs.of("killpriv-off"));
        BitSet no = Query.filter("!(" + condition + ") && req", Runs.of("killpriv-off"));
        BitSet all = Query.filter("req", Runs.of("killpriv-off"));

        assertTrue(!yes.intersects(no), condition);
        yes.or(no);
        assertEquals(all, yes, condition);
    }

    @Provide
    Arbitrary<String> conditions() {
        return Arbitraries.of(
                        "op == WRITE", "failed", "size >= 1", "lat < 8us", "op == READ || op == WRITE", "uid == 1000")
                .map(condition -> "req && " + "(" + condition + ")");
    }
}
