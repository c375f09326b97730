package vitrine.guest.command;

import java.util.Locale;
import java.util.Set;
import vitrine.trace.RequestStory;

/// Which requests of a trace to tell.
///
/// @param opcodes their names; empty for all
/// @param unique the one request with this number; 0 for all
/// @param errorsOnly whether to leave out what succeeded
record StoryFilter(Set<String> opcodes, long unique, boolean errorsOnly) {

    static final StoryFilter ALL = new StoryFilter(Set.of(), 0, false);

    boolean accepts(RequestStory story) {
        return (opcodes.isEmpty() || story.opcode().map(this::names).orElse(false))
                && (unique == 0 || story.unique() == unique)
                && (!errorsOnly || story.error() != 0);
    }

    private boolean names(String opcode) {
        return opcodes.stream()
                .anyMatch(wanted -> wanted.toUpperCase(Locale.ROOT).equals(opcode));
    }
}
