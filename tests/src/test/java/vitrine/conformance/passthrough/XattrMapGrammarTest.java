package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.passthrough.translation.XattrMap;
import vitrine.passthrough.translation.XattrMap.Kind;
import vitrine.passthrough.translation.XattrMap.Rule;
import vitrine.passthrough.translation.XattrMap.Scope;
import vitrine.posix.ErrnoException;
import vitrine.wire.Name;

/// How the rules of `--xattrmap` are written.
class XattrMapGrammarTest {

    private static Rule rule(Kind kind, Scope scope, String key, String prepend) {
        return new Rule(kind, scope, Name.of(key), Name.of(prepend));
    }

    /// Each rule has a separator of its own, and white space around it does not count.
    ///
    /// Caught: the first rule's separator used for all; white space before it taken for one.
    @Test
    void eachRuleHasItsOwnSeparator() {
        XattrMap map = XattrMap.parse("""

             :prefix:client:trusted.:user.v.:\t/ok/server/user:/user:/
             öbadöallööö  xunsupportedxallxx x""");

        assertEquals(
                List.of(
                        rule(Kind.PREFIX, Scope.CLIENT, "trusted.", "user.v."),
                        rule(Kind.OK, Scope.SERVER, "user:", "user:"),
                        rule(Kind.BAD, Scope.ALL, "", ""),
                        rule(Kind.UNSUPPORTED, Scope.ALL, "", " ")),
                map.rules());
    }

    /// `map` is short for others.
    @Test
    void mapIsShortForOtherRules() {
        assertEquals(XattrMap.parse(":prefix:all::user.v.::bad:all:::"), XattrMap.parse(":map::user.v.:"));
        assertEquals(XattrMap.parse("""
                    :prefix:all:trusted.:user.v.:
                    :bad:server::trusted.:
                    :bad:client:user.v.::
                    :ok:all:::
                    """), XattrMap.parse("/map/trusted./user.v./\n"));
    }

    /// Whatever rules there are: written and read they are the same.
    @Property(tries = 200)
    void whatIsWrittenIsRead(@ForAll("rules") List<Rule> rules, @ForAll("separators") List<String> separators) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            String separator = separators.get(i);
            String kind = rule.kind().name().toLowerCase(java.util.Locale.ROOT);
            String scope = rule.scope().name().toLowerCase(java.util.Locale.ROOT);
            text.append(i % 2 == 0 ? "" : " \n").append(separator);
            for (Object field : List.of(kind, scope, rule.key(), rule.prepend())) {
                text.append(field).append(separator);
            }
        }

        assertEquals(rules, XattrMap.parse(text.toString()).rules());
    }

    @Provide
    Arbitrary<List<Rule>> rules() {
        Arbitrary<Name> name = Arbitraries.of("", "user.", "trusted.ü", "a b", "日本", "security.capability")
                .map(Name::of);
        return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.of(Scope.class), name, name)
                .as(Rule::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Provide
    Arbitrary<List<String>> separators() {
        return Arbitraries.of(":", "/", "|", "#", "𝄞", "é", "0").list().ofSize(8);
    }

    /// What is wrong is said with the number of the rule, and with what was expected there.
    ///
    /// Caught: a field without an end, and rules behind `map`, let pass.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "'' one",
                "'  ' one",
                ":nonsense:all::: 1",
                ":nonsense:all::: prefix",
                ":okay:all::: okay",
                ":ok:all:::/bad/everything/// 2",
                ":ok:all:::/bad/everything/// server",
                ":ok 1",
                ":ok type",
                ":ok:all scope",
                ":ok:all:key key",
                ":ok:all:key:prepend prepend",
                ":ok:all:::: 2",
                ":map:x 1",
                ":map:x:y prepend",
                ":map:::/ok/all/// last",
                ":ok:all:::/map///:map::: 2",
                "x 1"
            })
    void whatIsWrongIsSaid(String text, String word) {
        String message = assertThrows(IllegalArgumentException.class, () -> XattrMap.parse(text))
                .getMessage();

        assertTrue(message.contains(word), message);
    }

    /// With `map`, whatever name the guest gives an attribute is the one that it finds in the list,
    /// and no other than the guest's own can be found there.
    ///
    /// Caught: the prefix cut off by one byte too many; the rule for the host's own names left out.
    @Property(tries = 200)
    void withMapAGuestFindsWhatItHasSet(@ForAll("keys") String key, @ForAll("names") Name name) throws Exception {
        XattrMap map = XattrMap.parse(":map:" + key + ":user.v.:");
        try {
            Name onHost = map.toHost(name);
            assertEquals(name, map.toGuest(onHost).orElseThrow());
        } catch (ErrnoException _) {
            assertTrue(name.startsWith(Name.of("user.v.")), name.toString()); // the host's name for another
        }
        if (map.toGuest(name).isPresent()) {
            Name guestName = map.toGuest(name).get();
            assertTrue(guestName.equals(name) || name.equals(Name.of("user.v.").followedBy(guestName)));
            assertTrue(!name.startsWith(Name.of(key)) || !guestName.equals(name));
        }
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.of("", "user.", "trusted.", "security.capability", "ü");
    }

    @Provide
    Arbitrary<Name> names() {
        return Arbitraries.of("user.", "user.v.", "trusted.", "security.capability", "ü")
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(parts -> Name.of(String.join("", parts)));
    }
}
