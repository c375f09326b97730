package vitrine.visualizer.query;

import java.util.BitSet;
import java.util.Set;
import vitrine.visualizer.timeline.Run;

/// A question about runs, understood once and asked as often as one likes.
public final class Query {

    private final String question;
    private final Node node;

    private Query(String question, Node node) {
        this.question = question;
        this.node = node;
    }

    /// Understands a question.
    ///
    /// @throws QueryException if it is none; it knows the column
    public static Query parse(String question) throws QueryException {
        return new Query(question, Parser.parse(question));
    }

    /// The question as it was written.
    public String question() {
        return question;
    }

    /// Asks a run.
    ///
    /// @throws QueryException if the question makes no sense, such as comparing a yes with a number
    public Answer ask(Run run) throws QueryException {
        return new Evaluation(run).answer(node);
    }

    /// The events that a filter lets through; all of them for the empty one.
    ///
    /// @throws QueryException if it is no filter
    public static BitSet filter(String question, Run run) throws QueryException {
        if (question.isBlank()) {
            BitSet all = new BitSet(run.size());
            all.set(0, run.size());
            return all;
        }
        if (parse(question).ask(run) instanceof Answer.Selected selected) {
            return selected.events();
        }
        throw new QueryException("this is one answer for the whole run; a filter asks of each request or event", 0);
    }

    /// The names of fields, to complete a half-written question.
    public static Set<String> fields() {
        return Fields.all();
    }
}
