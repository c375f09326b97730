package vitrine.visualizer.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// From letters to words.
final class Lexer {

    private static final Pattern BLANK = Pattern.compile("\\s+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
    private static final Pattern NUMBER = Pattern.compile("0x[0-9a-fA-F]+|[0-9]+(?:\\.[0-9]+)?");
    private static final Pattern UNIT = Pattern.compile("[A-Za-zµ]+");
    private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern SIGN = Pattern.compile("==|!=|<=|>=|&&|\\|\\||[-<>!~()+*/,]");
    private static final int LONGEST = 4000;

    private static final Map<String, Double> UNITS = Map.ofEntries(
            Map.entry("ns", 1.0),
            Map.entry("us", 1e3),
            Map.entry("µs", 1e3),
            Map.entry("ms", 1e6),
            Map.entry("s", 1e9),
            Map.entry("B", 1.0),
            Map.entry("KiB", 1024.0),
            Map.entry("MiB", 1024.0 * 1024),
            Map.entry("GiB", 1024.0 * 1024 * 1024));

    private final String question;
    private final List<Lexeme> words = new ArrayList<>();
    private int at;

    private Lexer(String question) {
        this.question = question;
    }

    static List<Lexeme> words(String question) throws QueryException {
        if (question.length() > LONGEST) {
            throw new QueryException("a question may have " + LONGEST + " letters", 0);
        }
        Lexer lexer = new Lexer(question);
        while (lexer.at < question.length()) {
            lexer.next();
        }
        lexer.words.add(new Lexeme(Lexeme.Kind.END, "", 0, question.length()));
        return lexer.words;
    }

    private void next() throws QueryException {
        int start = at;
        if (eat(BLANK) != null) {
            return;
        }
        Matcher found;
        if ((found = eat(NUMBER)) != null) {
            words.add(new Lexeme(Lexeme.Kind.NUMBER, found.group(), number(found.group()), start));
        } else if ((found = eat(NAME)) != null) {
            words.add(new Lexeme(Lexeme.Kind.NAME, found.group(), 0, start));
        } else if ((found = eat(TEXT)) != null) {
            words.add(new Lexeme(Lexeme.Kind.TEXT, found.group(1), 0, start));
        } else if ((found = eat(SIGN)) != null) {
            words.add(new Lexeme(Lexeme.Kind.SIGN, found.group(), 0, start));
        } else {
            throw new QueryException(complaint(question.charAt(start)), start);
        }
    }

    private static String complaint(char letter) {
        return switch (letter) {
            case '=' -> "to compare, write ==";
            case '&' -> "to say and, write &&";
            case '|' -> "to say or, write ||";
            case '"' -> "this text has no end; a second \" is missing";
            default -> "'" + letter + "' means nothing here";
        };
    }

    private Matcher eat(Pattern pattern) {
        Matcher matcher = pattern.matcher(question).region(at, question.length());
        if (!matcher.lookingAt()) {
            return null;
        }
        at = matcher.end();
        return matcher;
    }

    private double number(String digits) throws QueryException {
        double plain = digits.startsWith("0x")
                ? Long.parseUnsignedLong(digits.substring(2, Math.min(digits.length(), 18)), 16)
                : Double.parseDouble(digits);
        int start = at;
        Matcher unit = eat(UNIT);
        if (unit == null) {
            return plain;
        }
        Double factor = UNITS.get(unit.group());
        if (factor == null) {
            throw new QueryException(
                    "'" + unit.group() + "' is no unit; there are ns, us, ms, s, B, KiB, MiB and GiB", start);
        }
        return plain * factor;
    }
}
