package vitrine.visualizer.query;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import vitrine.visualizer.query.Lexeme.Kind;

/// From words to what they mean, by one method for each level of the grammar.
///
/// ```
///   or         = and { "||" and }
///   and        = not { "&&" not }
///   not        = "!" not | comparison
///   comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "~") sum ]
///   sum        = product { ("+" | "-") product }
///   product    = primary { ("*" | "/") primary }
///   primary    = NUMBER | TEXT | NAME | "-" primary | "(" or ")" | function
/// ```
final class Parser {

    static final Set<String> AGGREGATES = Set.of("count", "sum", "min", "max", "mean", "p50", "p90", "p99");
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=", "~");
    private static final int DEEPEST = 100;

    private final List<Lexeme> words;
    private int at;
    private int depth;

    private Parser(List<Lexeme> words) {
        this.words = words;
    }

    static Node parse(String question) throws QueryException {
        Parser parser = new Parser(Lexer.words(question));
        if (parser.next().kind() == Kind.END) {
            throw new QueryException("here a question is missing, such as op == WRITE", 0);
        }
        Node node = parser.or();
        if (parser.next().kind() != Kind.END) {
            Lexeme word = parser.next();
            throw new QueryException("here && or || is missing before " + word.shown(), word.column());
        }
        return node;
    }

    private Lexeme next() {
        return words.get(at);
    }

    private boolean eat(String sign) {
        if (next().is(sign)) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(String sign, String why) throws QueryException {
        if (!eat(sign)) {
            throw new QueryException("here '" + sign + "' is missing " + why, next().column());
        }
    }

    private Node or() throws QueryException {
        if (++depth > DEEPEST) {
            throw new QueryException("more than " + DEEPEST + " parentheses in each other", next().column());
        }
        Node left = and();
        while (next().is("||")) {
            int column = words.get(at++).column();
            left = new Node.Joined(false, left, and(), column);
        }
        depth--;
        return left;
    }

    private Node and() throws QueryException {
        Node left = not();
        while (next().is("&&")) {
            int column = words.get(at++).column();
            left = new Node.Joined(true, left, not(), column);
        }
        return left;
    }

    private Node not() throws QueryException {
        int column = next().column();
        int nots = 0;
        while (eat("!")) {
            nots++;
        }
        Node inner = comparison();
        return nots % 2 == 0 ? inner : new Node.Not(inner, column);
    }

    private Node comparison() throws QueryException {
        Node left = sum();
        if (next().kind() == Kind.SIGN && COMPARISONS.contains(next().text())) {
            Lexeme sign = words.get(at++);
            if (left instanceof Node.Text(String name, boolean quoted, int column) && !quoted) {
                throw unknown(name, column);
            }
            return new Node.Compared(sign.text(), left, sum(), sign.column());
        }
        return left;
    }

    private Node sum() throws QueryException {
        Node left = product();
        while (next().is("+") || next().is("-")) {
            Lexeme sign = words.get(at++);
            left = new Node.Computed(sign.text(), left, product(), sign.column());
        }
        return left;
    }

    private Node product() throws QueryException {
        Node left = primary();
        while (next().is("*") || next().is("/")) {
            Lexeme sign = words.get(at++);
            left = new Node.Computed(sign.text(), left, primary(), sign.column());
        }
        return left;
    }

    private Node primary() throws QueryException {
        Lexeme word = next();
        switch (word.kind()) {
            case NUMBER -> {
                at++;
                return new Node.Number(word.number(), word.column());
            }
            case TEXT -> {
                at++;
                return new Node.Text(word.text(), true, word.column());
            }
            case NAME -> {
                at++;
                return named(word);
            }
            case SIGN, END -> {
                if (eat("(")) {
                    Node inner = or();
                    expect(")", "to close the one at column " + (word.column() + 1));
                    return inner;
                }
                if (word.is("-") && words.get(at + 1).kind() == Kind.NUMBER) {
                    at++;
                    return new Node.Number(-words.get(at++).number(), word.column());
                }
                throw new QueryException("here a value is missing, before " + word.shown(), word.column());
            }
        }
        throw new IllegalStateException("a word of no kind");
    }

    private Node named(Lexeme word) throws QueryException {
        if (eat("(")) {
            return word.text().equals("within") ? within(word) : aggregate(word);
        }
        Optional<Field> field = Fields.named(word.text());
        return field.isPresent()
                ? new Node.Named(field.get(), word.column())
                : new Node.Text(word.text(), false, word.column());
    }

    private Node within(Lexeme word) throws QueryException {
        Lexeme what = words.get(at);
        Lexeme number = words.get(Math.min(at + 1, words.size() - 1));
        boolean request = what.text().equals("request");
        if (!request && !what.text().equals("syscall") || number.kind() != Kind.NUMBER) {
            throw new QueryException("write within(syscall 3) or within(request 2)", what.column());
        }
        at += 2;
        expect(")", "after within(...");
        return new Node.Within(request, (long) number.number(), word.column());
    }

    private Node aggregate(Lexeme word) throws QueryException {
        if (!AGGREGATES.contains(word.text())) {
            throw new QueryException(
                    "there is no " + word.text() + "(...); there are within, "
                            + String.join(", ", AGGREGATES.stream().sorted().toList()),
                    word.column());
        }
        Node what = or();
        Optional<Node> where = eat(",") ? Optional.of(or()) : Optional.empty();
        expect(")", "to close " + word.text() + "(");
        return new Node.Aggregate(word.text(), what, where, word.column());
    }

    static QueryException unknown(String name, int column) {
        String meant = Fields.like(name, Fields.all())
                .map(like -> "; did you mean " + like + "?")
                .orElse("; there are " + String.join(", ", Fields.names()) + ", and what requests say, as size");
        return new QueryException("there is no field " + name + meant, column);
    }
}
