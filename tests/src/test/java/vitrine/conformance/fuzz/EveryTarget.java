package vitrine.conformance.fuzz;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/// All targets in turn: the first byte says which one gets the rest.
final class EveryTarget implements FuzzTarget {

    private final Map<Targets, FuzzTarget> targets = new EnumMap<>(Targets.class);

    @Override
    public void take(byte[] input) throws Exception {
        if (input.length > 0) {
            int most = Targets.ALL.ordinal(); // not itself
            Targets which = Targets.values()[Byte.toUnsignedInt(input[0]) % most];
            targets.computeIfAbsent(which, Targets::make).take(Arrays.copyOfRange(input, 1, input.length));
        }
    }
}
