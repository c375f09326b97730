package vitrine.guest.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.posix.Errno;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Signal;

/// The demo's two runs side by side, as lines of text.
final class DemoStory {

    private static final String GAP = " │ ";

    private final DemoRun without;
    private final DemoRun with;
    private final int width;
    private final int column;
    private final List<String> lines = new ArrayList<>();

    DemoStory(DemoRun without, DemoRun with, int width) {
        this.without = without;
        this.with = with;
        this.width = width;
        this.column = (width - GAP.length()) / 2;
    }

    List<String> lines() {
        introduce();
        sideBySide(List.of("without KILLPRIV_V2"), List.of("with KILLPRIV_V2"));
        rule("┼");
        sideBySide(start(without), start(with));
        for (int write = 0; write < DemoRun.WRITES; write++) {
            rule("┼");
            sideBySide(write(without, write), write(with, write));
        }
        rule("┼");
        sideBySide(end(without), end(with));
        rule("┴");
        conclude();
        return lines;
    }

    private void introduce() {
        say("");
        say("Who clears the set-user-ID bit?");
        say("");
        say("On the host lies a program of root's, mode 4777: whoever runs it is root, and whoever likes may"
                + " write to it. A process of uid 1000 in the guest does: three times eight bytes. Now the bit"
                + " must go, or uid 1000 has made root's program say what it likes. Guest and daemon can settle"
                + " in two ways who sees to that. These are the requests of both, as they were in the ring just"
                + " now, and the system calls by which the daemon answered. “ring head 7: 40+28→16+8, kick” says"
                + " that the request is the chain of descriptors that begins with number 7: two pieces of guest"
                + " memory, 40 and 28 bytes, for the daemon to read, two for its reply, and that the daemon had to"
                + " be woken.");
        say("");
    }

    private static List<String> start(DemoRun run) {
        return List.of("mode before: " + mode(run.modeBefore()));
    }

    private List<String> write(DemoRun run, int index) {
        List<String> cell = new ArrayList<>();
        List<RequestStory> requests = run.writes().get(index);
        cell.add("write(fd, 8 bytes)  → " + requests.size() + (requests.size() == 1 ? " request" : " requests"));
        for (RequestStory request : requests) {
            cell.add("");
            cell.add(" " + spread(title(request), " " + result(request), column - 1));
            cell.add("   " + ring(request));
            for (TraceEvent.HostCall call : request.all(TraceEvent.HostCall.class)) {
                TraceEvent.Outcome outcome = call.outcome();
                String ended = outcome.errno() == 0 ? String.valueOf(outcome.result()) : Errno.name(outcome.errno());
                cell.add("   " + spread("host  " + call(call), " = " + ended, column - 3));
            }
        }
        return cell;
    }

    private static List<String> end(DemoRun run) {
        List<String> cell = new ArrayList<>();
        cell.add("mode after:  " + mode(run.modeAfter()));
        cell.add("");
        cell.add(count(run.requests().size(), "requests for three writes"));
        cell.add(count(run.notified(Signal.KICK), "kicks of the device"));
        cell.add(count(run.notified(Signal.CALL), "calls of the driver"));
        cell.add(count(run.hostCalls(), "system calls of the host for them"));
        return cell;
    }

    private void conclude() {
        say("");
        say("Left, the guest's kernel has to clear the bit itself: it asks for the file's capabilities, reads"
                + " the mode and sets it without the bit, and asks again before every further write, because it"
                + " may not remember that there was nothing to ask. Right, it leaves the bit to the host's kernel,"
                + " which clears it under its own lock: a SETATTR that says nothing is the order to do so, and the"
                + " flag in each WRITE, which then runs without the capability to keep such bits. And it may"
                + " remember. " + ratio() + more());
        say("");
        say("Three things to try next:");
        say("");
        say("  ./vitrine shell");
        say("      be that program: trace on; su 1000; echo x > f");
        say("  ./vitrine qemu -- 'ls -l; dd if=/dev/zero of=x bs=1k count=1'");
        say("      a real Linux guest");
        say("  ./vitrine daemon --socket-path=/tmp/s --shared-dir=/srv --capture run.pcapng");
        say("      record a guest of yours; then ./vitrine trace it");
        say("");
    }

    private String ratio() {
        return String.format(
                Locale.ROOT,
                "Here that was %d requests against %d.",
                without.requests().size(),
                with.requests().size());
    }

    /// What a reader of the last line asks: why the better way has more of something.
    private String more() {
        return with.hostCalls() <= without.hostCalls()
                ? ""
                : String.format(
                        Locale.ROOT,
                        " Only the host's kernel is called more often, %d times against %d: with the first write the"
                                + " daemon's thread takes the group of the writer and gives up that capability"
                                + " (setfsgid, capset). That is paid once, in well under a microsecond each; a"
                                + " question less is a wait less with every write.",
                        with.hostCalls(),
                        without.hostCalls());
    }

    private static String title(RequestStory request) {
        String name = request.opcode().orElse("?");
        String about = request.decoded().stream()
                .flatMap(decoded -> decoded.fields().stream())
                .flatMap(field -> switch (field.name()) {
                    case "name" -> Stream.of(field.value().replace("\"", ""));
                    case "valid" -> Stream.of(field.value().equals("0") ? "nothing" : field.value());
                    case "mode" -> Stream.of(field.value()).filter(mode -> !mode.equals("0") && !mode.equals("00"));
                    case "write_flags" -> Stream.of(field.value()).filter(flags -> !flags.equals("0"));
                    default -> Stream.<String>empty();
                })
                .collect(Collectors.joining(" "));
        return about.isEmpty() ? name : name + " " + about;
    }

    private static String result(RequestStory request) {
        return request.error() == 0 ? "OK" : Errno.name(request.error());
    }

    private static String ring(RequestStory request) {
        List<Descriptor> descriptors =
                request.queued().map(TraceEvent.RequestQueued::descriptors).orElse(List.of());
        boolean kicked = request.all(TraceEvent.Notified.class).stream().anyMatch(told -> told.signal() == Signal.KICK);
        return "ring  head " + request.head() + ": " + lengths(descriptors, false) + "→" + lengths(descriptors, true)
                + (kicked ? ", kick" : "");
    }

    private static String lengths(List<Descriptor> descriptors, boolean writable) {
        return descriptors.stream()
                .filter(descriptor -> descriptor.writable() == writable)
                .map(descriptor -> String.valueOf(descriptor.length()))
                .collect(Collectors.joining("+"));
    }

    private static String call(TraceEvent.HostCall call) {
        String arguments = call.arguments().replaceAll("\"/proc/self/fd/(\\d+)\"", "fd $1"); // the same, shorter
        return call.name() + "(" + arguments + ")";
    }

    private static String count(long number, String what) {
        return String.format(Locale.ROOT, "%3d %s", number, what);
    }

    private static String mode(int mode) {
        return Integer.toOctalString(mode) + " " + ((mode & 04000) != 0 ? "-rwsrwxrwx" : "-rwxrwxrwx");
    }

    private void sideBySide(List<String> left, List<String> right) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            String leftLine = i < left.size() ? left.get(i) : "";
            String rightLine = i < right.size() ? right.get(i) : "";
            lines.add((pad(cut(leftLine, column), column) + GAP + cut(rightLine, column)).stripTrailing());
        }
    }

    private void rule(String crossing) {
        lines.add("─".repeat(column + 1) + crossing + "─".repeat(column + 1));
    }

    /// Adds a paragraph, broken where the page ends.
    private void say(String paragraph) {
        String rest = paragraph;
        while (rest.length() > width) {
            int end = rest.lastIndexOf(' ', width);
            lines.add(rest.substring(0, end));
            rest = rest.substring(end + 1);
        }
        lines.add(rest);
    }

    private static String spread(String left, String right, int width) {
        return pad(cut(left, width - right.length()), width - right.length()) + right;
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
