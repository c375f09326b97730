package vitrine.visualizer.view;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.timeline.Kind;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Story;

/// What a request made the host do: the names of the system calls with their flags, without
/// descriptors, numbers and file names, which differ from run to run.
record HostCalls(List<String> calls) {

    private static final Pattern IN_QUOTES = Pattern.compile("\"[^\"]*\"");
    private static final Pattern FLAGS = Pattern.compile("[A-Z][A-Z_0-9]+(\\|[A-Z][A-Z_0-9]+)*");

    static HostCalls of(Run run, Story story) {
        return new HostCalls(Arrays.stream(run.stories().events(story.number()))
                .filter(n -> run.kind(n) == Kind.HOST_CALL)
                .mapToObj(run::event)
                .map(event -> call((TraceEvent.HostCall) event))
                .toList());
    }

    private static String call(TraceEvent.HostCall call) {
        String arguments = IN_QUOTES.matcher(call.arguments()).replaceAll("");
        String flags = FLAGS.matcher(arguments)
                .results()
                .map(MatchResult::group)
                .filter(flag -> !flag.equals("AT_FDCWD"))
                .collect(Collectors.joining(" "));
        return (call.name() + " " + flags).strip();
    }

    /// What is to be said of them beside those of another run: how many, or else the first one that
    /// is another there.
    String beside(HostCalls other) {
        if (calls.size() != other.calls.size()) {
            return ", " + calls.size() + (calls.size() == 1 ? " host call" : " host calls");
        }
        for (int i = 0; i < calls.size(); i++) {
            if (!calls.get(i).equals(other.calls.get(i))) {
                return ", host " + calls.get(i);
            }
        }
        return "";
    }
}
