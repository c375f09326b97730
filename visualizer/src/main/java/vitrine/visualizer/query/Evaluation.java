package vitrine.visualizer.query;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import vitrine.fuse.Opcode;
import vitrine.visualizer.query.Field.Type;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// Asks a run.
final class Evaluation {

    private static final Set<String> OPCODES =
            Arrays.stream(Opcode.values()).map(Opcode::name).collect(Collectors.toCollection(TreeSet::new));

    private final Run run;

    Evaluation(Run run) {
        this.run = run;
    }

    Answer answer(Node node) throws QueryException {
        if (isNumber(node)) {
            return new Answer.Amount(number(node), unit(node));
        }
        if (isCheck(node)) {
            return new Answer.Truth(check(node));
        }
        Mask mask = mask(node);
        return new Answer.Selected(mask.events(), mask.ofRequests(), mask.count(run));
    }

    /// Whether it is one number for the whole run.
    private static boolean isNumber(Node node) {
        return switch (node) {
            case Node.Number _, Node.Aggregate _ -> true;
            case Node.Computed(var _, Node left, Node right, var _) -> isNumber(left) && isNumber(right);
            default -> false;
        };
    }

    /// Whether it is one yes or no for the whole run.
    private static boolean isCheck(Node node) {
        return switch (node) {
            case Node.Compared(var _, Node left, Node right, var _) -> isNumber(left) && isNumber(right);
            case Node.Joined(var _, Node left, Node right, var _) -> isCheck(left) && isCheck(right);
            case Node.Not(Node inner, var _) -> isCheck(inner);
            default -> false;
        };
    }

    private boolean check(Node node) throws QueryException {
        return switch (node) {
            case Node.Compared(String sign, Node left, Node right, var _) ->
                compare(sign, Double.compare(number(left), number(right)));
            case Node.Joined(boolean and, Node left, Node right, var _) ->
                and ? check(left) && check(right) : check(left) || check(right);
            case Node.Not(Node inner, var _) -> !check(inner);
            default -> throw new IllegalStateException("no check");
        };
    }

    private static Unit unit(Node node) {
        return switch (node) {
            case Node.Computed(String sign, Node left, Node right, var _) -> Unit.of(sign, unit(left), unit(right));
            case Node.Aggregate(String function, Node.Named(Field field, var _), var _, var _)
            when !function.equals("count") -> field.unit();
            default -> Unit.NONE;
        };
    }

    private double number(Node node) throws QueryException {
        return switch (node) {
            case Node.Number(double value, var _) -> value;
            case Node.Computed(String sign, Node left, Node right, var _) ->
                computed(sign, number(left), number(right), right.column());
            case Node.Aggregate aggregate -> aggregate(aggregate);
            default -> throw new QueryException("here a number is needed, such as count(req)", node.column());
        };
    }

    private static double computed(String sign, double left, double right, int column) throws QueryException {
        if (sign.equals("/") && right == 0) {
            throw new QueryException("this is 0, and nothing can be divided by it", column);
        }
        return switch (sign) {
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            default -> left / right;
        };
    }

    private double aggregate(Node.Aggregate aggregate) throws QueryException {
        if (aggregate.function().equals("count")) {
            if (aggregate.where().isPresent()) {
                throw new QueryException("count takes one condition; join two with &&", aggregate.column());
            }
            return mask(aggregate.what()).count(run);
        }
        if (!(aggregate.what() instanceof Node.Named(Field field, var _)) || field.type() == Type.TRUTH) {
            throw new QueryException(
                    "here a field with numbers is needed, such as lat or size",
                    aggregate.what().column());
        }
        Mask where = aggregate.where().isPresent() ? mask(aggregate.where().get()) : null;
        double[] values = new double[rows(field)];
        int count = 0;
        for (int row = 0; row < rows(field); row++) {
            Object value = field.values().of(run, row);
            Double number = value == null ? null : numberIn(value);
            if (number != null && (where == null || where.events().get(eventOf(field, row)))) {
                values[count++] = number;
            }
        }
        return over(aggregate.function(), Arrays.copyOf(values, count));
    }

    private static double over(String function, double[] values) {
        Arrays.sort(values);
        if (values.length == 0) {
            return function.equals("sum") ? 0 : Double.NaN;
        }
        return switch (function) {
            case "sum" -> Arrays.stream(values).sum();
            case "mean" -> Arrays.stream(values).sum() / values.length;
            case "min" -> values[0];
            case "max" -> values[values.length - 1];
            default -> {
                double share = Integer.parseInt(function.substring(1)) / 100.0;
                yield values[(int) Math.max(0, Math.ceil(share * values.length) - 1)];
            }
        };
    }

    private int rows(Field field) {
        return field.ofRequests() ? run.stories().size() : run.size();
    }

    private int eventOf(Field field, int row) {
        return field.ofRequests() ? run.stories().get(row).begin() : row;
    }

    private Mask mask(Node node) throws QueryException {
        return switch (node) {
            case Node.Joined(boolean and, Node left, Node right, var _) ->
                and ? mask(left).and(mask(right)) : mask(left).or(mask(right));
            case Node.Not(Node inner, var _) -> mask(inner).not(run);
            case Node.Within within -> within(within);
            case Node.Named(Field field, int column) -> {
                if (field.type() != Type.TRUTH) {
                    throw new QueryException(
                            "compare " + field.name() + " with something, as in "
                                    + (field.type() == Type.NUMBER
                                            ? field.name() + " > 0"
                                            : field.name() + " == \"...\""),
                            column);
                }
                yield selected(field, value -> value.equals(true));
            }
            case Node.Compared compared -> compared(compared);
            case Node.Text(String text, boolean quoted, int column) -> {
                if (quoted) {
                    throw new QueryException("this text is compared with nothing", column);
                }
                throw Parser.unknown(text, column);
            }
            case Node.Number _, Node.Aggregate _, Node.Computed _ ->
                throw new QueryException("a number selects nothing; compare it with another", node.column());
        };
    }

    private Mask within(Node.Within within) {
        BitSet events = new BitSet(run.size());
        for (int n = 0; n < run.size(); n++) {
            long number = within.request() ? run.stories().numberOf(n) + 1 : run.guestCall(n);
            events.set(n, number != 0 && number == within.number());
        }
        return new Mask(events, false);
    }

    private Mask compared(Node.Compared compared) throws QueryException {
        if (!(compared.left() instanceof Node.Named(Field field, var _))) {
            throw new QueryException(
                    "left of " + compared.sign() + " stands a field, such as op or size",
                    compared.left().column());
        }
        String sign = compared.sign();
        return switch (compared.right()) {
            case Node.Number(double wanted, var _) ->
                selected(field, value -> {
                    Double number = numberIn(value);
                    return number != null && !sign.equals("~") && compare(sign, Double.compare(number, wanted));
                });
            case Node.Text(String wanted, var _, int column) -> {
                checkOpcode(field, wanted, column);
                yield selected(
                        field,
                        value -> sign.equals("~")
                                ? plain(value).contains(wanted)
                                : compare(sign, plain(value).compareTo(wanted)));
            }
            default ->
                throw new QueryException(
                        "right of " + sign + " stands a number or a text",
                        compared.right().column());
        };
    }

    /// A request that does not exist is a slip of the pen, not an empty answer.
    private static void checkOpcode(Field field, String wanted, int column) throws QueryException {
        if (field.name().equals("op") && !OPCODES.contains(wanted)) {
            String meant = Fields.like(wanted.toUpperCase(Locale.ROOT), OPCODES)
                    .map(like -> "; did you mean " + like + "?")
                    .orElse("");
            throw new QueryException("there is no request " + wanted + meant, column);
        }
    }

    @FunctionalInterface
    private interface Wanted {
        boolean is(Object value);
    }

    private Mask selected(Field field, Wanted wanted) {
        BitSet events = new BitSet(run.size());
        for (int row = 0; row < rows(field); row++) {
            Object value = field.values().of(run, row);
            if (value != null && wanted.is(value)) {
                if (field.ofRequests()) {
                    select(run.stories().get(row), events);
                } else {
                    events.set(row);
                }
            }
        }
        return new Mask(events, field.ofRequests());
    }

    private void select(Story story, BitSet events) {
        for (int n : run.stories().events(story.number())) {
            events.set(n);
        }
    }

    private static boolean compare(String sign, int order) {
        return switch (sign) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    /// A value without the quotes that a name has in a trace.
    private static String plain(Object value) {
        String text = value instanceof Double number && number == Math.rint(number)
                ? String.valueOf(number.longValue())
                : String.valueOf(value);
        boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    private static Double numberIn(Object value) {
        if (value instanceof Double number) {
            return number;
        }
        String text = String.valueOf(value);
        try {
            return text.startsWith("0x")
                    ? Double.valueOf(Long.parseUnsignedLong(text.substring(2), 16))
                    : text.matches("0[0-7]+") ? Double.valueOf(Long.parseLong(text, 8)) : Double.valueOf(text);
        } catch (NumberFormatException _) {
            return null;
        }
    }
}
