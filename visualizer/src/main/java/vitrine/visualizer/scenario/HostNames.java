package vitrine.visualizer.scenario;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceEvent.Outcome;

/// What the host calls things, renamed: descriptors are the lowest free number from 3 on, as in a
/// process that has opened nothing else, and the shared folder is `/share`.
final class HostNames {

    private static final Pattern DESCRIPTOR = Pattern.compile("(\\bfd |/proc/self/fd/)(\\d+)");
    private static final Set<String> OPENING =
            Set.of("openat", "open_by_handle_at", "memfd_create", "eventfd", "fsopen", "fsmount", "open_tree");
    private static final int FIRST = 3;

    private final String folder;
    private final Map<Long, Integer> names = new HashMap<>();
    private final TreeSet<Integer> free = new TreeSet<>();
    private int next = FIRST;

    HostNames(String folder) {
        this.folder = folder;
    }

    HostCall renamed(HostCall call) {
        Outcome outcome = call.outcome();
        String arguments = descriptors(call.arguments()).replace(folder, "/share");
        if (call.name().equals("close") && outcome.errno() == 0) {
            DESCRIPTOR.matcher(call.arguments()).results().forEach(match -> closed(Long.parseLong(match.group(2))));
        }
        boolean opens = OPENING.contains(call.name())
                || call.name().equals("fcntl") && call.arguments().contains("F_DUPFD_CLOEXEC");
        long result = opens && outcome.result() >= 0 ? name(outcome.result()) : outcome.result();
        return new HostCall(call.at(), call.name(), arguments, new Outcome(result, outcome.errno(), outcome.nanos()));
    }

    private String descriptors(String arguments) {
        return DESCRIPTOR
                .matcher(arguments)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1) + name(Long.parseLong(match.group(2)))));
    }

    private int name(long descriptor) {
        return names.computeIfAbsent(descriptor, _ -> free.isEmpty() ? next++ : free.pollFirst());
    }

    private void closed(long descriptor) {
        Integer name = names.remove(descriptor);
        if (name != null) {
            free.add(name);
        }
    }
}
