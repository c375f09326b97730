package vitrine.passthrough.translation;

import java.util.ArrayList;
import java.util.List;
import vitrine.passthrough.translation.XattrMap.Kind;
import vitrine.passthrough.translation.XattrMap.Rule;
import vitrine.passthrough.translation.XattrMap.Scope;
import vitrine.wire.Name;

/// The rules of an [XattrMap] as they are written, in the grammar of the other virtiofsds.
///
/// ```
///   :type:scope:key:prepend:      type   prefix, ok, bad, unsupported
///                                 scope  client, server, all
///   :map:key:prepend:             short for a few of the others; the last rule, if at all
/// ```
///
/// The first character of a rule is what separates its fields, so that each rule can use one that
/// its names do not contain. Between rules may be white space, lines too.
final class XattrMapParser {

    private final String text;
    private final List<Rule> rules = new ArrayList<>();
    private int at;
    private int number; // of the rule that is read, from 1
    private String separator;

    XattrMapParser(String text) {
        this.text = text;
    }

    List<Rule> rules() {
        skipSpace();
        while (at < text.length()) {
            number++;
            rule();
            skipSpace();
        }
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("a map has one rule at least, such as :map::user.virtiofs.:");
        }
        return rules;
    }

    private void rule() {
        separator = Character.toString(text.codePointAt(at));
        at += separator.length();
        String type = field("type");
        switch (type) {
            case "prefix" -> add(Kind.PREFIX);
            case "ok" -> add(Kind.OK);
            case "bad" -> add(Kind.BAD);
            case "unsupported" -> add(Kind.UNSUPPORTED);
            case "map" -> addMap();
            default -> throw wrong("the type is one of prefix, ok, bad, unsupported and map, not '" + type + "'");
        }
    }

    private void add(Kind kind) {
        String scope = field("scope");
        Scope tried = switch (scope) {
            case "client" -> Scope.CLIENT;
            case "server" -> Scope.SERVER;
            case "all" -> Scope.ALL;
            default -> throw wrong("the scope is one of client, server and all, not '" + scope + "'");
        };
        rules.add(new Rule(kind, tried, name("key"), name("prepend")));
    }

    /// Names that begin with `key`, or all if it is empty, are kept with `prepend` before them.
    /// What the host has by these names itself is hidden, and the guest cannot reach what is kept
    /// for it by its name on the host.
    private void addMap() {
        Name key = name("key");
        Name prepend = name("prepend");
        Name any = Name.of("");
        rules.add(new Rule(Kind.PREFIX, Scope.ALL, key, prepend));
        if (key.length() == 0) {
            rules.add(new Rule(Kind.BAD, Scope.ALL, any, any));
        } else {
            rules.add(new Rule(Kind.BAD, Scope.SERVER, any, key));
            rules.add(new Rule(Kind.BAD, Scope.CLIENT, prepend, any));
            rules.add(new Rule(Kind.OK, Scope.ALL, any, any));
        }
        skipSpace();
        if (at < text.length()) {
            throw wrong("map has to be the last rule, and is followed by '" + text.substring(at) + "'");
        }
    }

    private Name name(String field) {
        return Name.of(field(field));
    }

    private String field(String name) {
        int end = text.indexOf(separator, at);
        if (end == -1) {
            throw wrong("no '" + separator + "' after its " + name + ", '" + text.substring(at) + "'");
        }
        String field = text.substring(at, end);
        at = end + separator.length();
        return field;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("rule " + number + ": " + why);
    }
}
