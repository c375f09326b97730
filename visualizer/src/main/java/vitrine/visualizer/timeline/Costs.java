package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.trace.Actor;
import vitrine.trace.TraceEvent.Signal;

/// Where the time of some events went, stage by stage, and how much there was of what costs.
///
/// The time between two events of one system call belongs to what ended it: up to a system call of
/// the host it was the host, as long as that call says it took, and the rest the daemon.
///
/// @param nanos by stage; what is not there took no time
public record Costs(Map<Stage, Long> nanos, int requests, int kicks, int calls, int hostCalls) {

    /// A stage of a request's way that takes time.
    public enum Stage {
        /// The guest's program and kernel.
        GUEST("guest kernel"),
        /// From the driver's kick until the daemon is awake.
        KICK("kick"),
        /// The daemon itself.
        DAEMON("daemon"),
        /// System calls of the host.
        HOST("host system calls"),
        /// From the device's call until the guest is awake.
        CALL("call");

        private final String title;

        Stage(String title) {
            this.title = title;
        }

        /// Its name for people.
        public String title() {
            return title;
        }
    }

    /// Keeps its own copy.
    public Costs {
        nanos = Map.copyOf(nanos);
    }

    /// Of all system calls of the guest, or of all requests if none were seen.
    public static Costs ofAll(Run run) {
        return new Counting(run).over(run.stories().all());
    }

    /// Of one system call of the guest.
    public static Costs ofCall(Run run, long call) {
        return new Counting(run).over(run.stories().ofCall(call));
    }

    /// All of it.
    public long total() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    private static final class Counting {
        private final Run run;
        private final boolean model;
        private final Map<Stage, Long> nanos = new EnumMap<>(Stage.class);
        private int requests;
        private int kicks;
        private int calls;
        private int hostCalls;

        Counting(Run run) {
            this.run = run;
            this.model = "model".equals(run.about().get("time"));
        }

        Costs over(List<Story> stories) {
            Map<Long, Integer> last = new HashMap<>(); // by system call: its event before
            int[] events = stories.stream()
                    .flatMapToInt(story -> Arrays.stream(run.stories().events(story.number())))
                    .sorted()
                    .toArray();
            requests = (int) stories.stream().filter(Story::isRequest).count();
            for (int n : events) {
                Story story = run.stories().of(n).orElseThrow();
                if (n < story.begin()) {
                    continue; // a look at the ring, long before
                }
                long group = story.call() != 0 ? story.call() : -1L - story.number();
                Integer before = last.put(group, n);
                count(n);
                if (before != null) {
                    add(n, Math.max(0, run.nanos(n) - run.nanos(before)));
                }
            }
            return new Costs(nanos, requests, kicks, calls, hostCalls);
        }

        private void count(int n) {
            if (run.kind(n) == Kind.NOTIFIED) {
                kicks += run.columns().signal(n) == Signal.KICK ? 1 : 0;
                calls += run.columns().signal(n) == Signal.CALL ? 1 : 0;
            } else if (run.kind(n) == Kind.HOST_CALL) {
                hostCalls++;
            }
        }

        private void add(int n, long time) {
            Stage stage = stage(n);
            long host = stage == Stage.HOST
                    ? Math.min(time, Math.max(0, run.columns().b(n)))
                    : time;
            nanos.merge(stage, host, Long::sum);
            nanos.merge(Stage.DAEMON, time - host, Long::sum);
        }

        /// In a run that was measured, a kick is stamped before the daemon wakes, and a call before
        /// the guest does: the waiting ends with what happens next. In the model it ends with the
        /// waking itself.
        private Stage stage(int n) {
            return switch (run.kind(n)) {
                case HOST_CALL -> Stage.HOST;
                case CHAIN_POPPED -> model ? Stage.DAEMON : Stage.KICK;
                case REQUEST_DECODED, REPLY_GIVEN, CHAIN_PUSHED, CHAIN_REFUSED -> Stage.DAEMON;
                case RING_ACCESS -> run.actor(n) == Actor.DAEMON ? Stage.DAEMON : Stage.GUEST;
                case NOTIFIED ->
                    switch (run.columns().signal(n)) {
                        case KICK -> model ? Stage.KICK : Stage.GUEST;
                        case CALL -> model ? Stage.CALL : Stage.DAEMON;
                        case KICK_SEEN -> Stage.KICK;
                        case CALL_SEEN -> Stage.CALL;
                        case KICK_SUPPRESSED -> Stage.GUEST;
                        case CALL_SUPPRESSED -> Stage.DAEMON;
                    };
                default -> Stage.GUEST;
            };
        }
    }
}
