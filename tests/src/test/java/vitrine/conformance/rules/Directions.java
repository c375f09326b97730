package vitrine.conformance.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which package may know which, and why.
///
/// ```
/// daemon ──> tap ──> session ──> fuse ──> posix ──> wire
///   │         │ └─> passthrough ──┘ │       │
///   │         └───> vhostuser ──> virtqueue ──> memory ──> posix, wire
///   └─ everything (it wires)        trace ──> nothing
/// ```
final class Directions {

    /// What the packages under one name may use. The first entry that fits a package counts.
    ///
    /// @param from a package; those below it are meant too
    /// @param mayUse packages, each with those below it
    /// @param reason why no more than that
    record Direction(String from, List<String> mayUse, String reason) {}

    private static Direction direction(String from, String mayUse, String reason) {
        List<String> packages = Stream.of(mayUse.split(" "))
                .filter(name -> !name.isEmpty())
                .map(name -> "vitrine." + name)
                .toList();
        return new Direction("vitrine." + from, packages, reason);
    }

    private static final String PROTOCOLS = "fuse virtqueue vhostuser memory posix wire";

    static final List<Direction> ALL = List.of(
            direction("wire", "", "bytes in order know nothing of what they mean"),
            direction("trace", "", "what happened is data, so that a reader of captures needs no daemon"),
            direction("posix", "wire", "the host kernel is the ground that all others stand on"),
            direction("memory", "posix wire", "guest memory does not know what lies in it"),
            direction("virtqueue", "memory wire", "a ring carries any device's requests"),
            direction("fuse", "wire posix", "the protocol is data, the same for both ends of the queue"),
            direction(
                    "vhostuser",
                    "memory virtqueue posix wire",
                    "the control channel serves any virtio device, not only a file system"),
            direction("migration", "posix wire", "a state is data, whoever has written it and whoever reads it"),
            direction("dax", "fuse memory posix wire", "the window knows files and the front end, and no share"),
            direction(
                    "passthrough.translation",
                    "posix wire",
                    "what a name means on the host is a rule, whichever request asks"),
            direction("passthrough.held", "dax posix wire", "what the guest holds is counted, whichever request asks"),
            direction(
                    "passthrough",
                    "dax fuse migration posix wire",
                    "the file system answers requests, wherever they came from"),
            direction(
                    "session",
                    "fuse migration virtqueue memory posix wire",
                    "a queue is served the same way for any FileSystem"),
            direction(
                    "tap",
                    "session passthrough dax trace " + PROTOCOLS,
                    "taps see everything below, and nothing below sees them"),
            direction(
                    "daemon",
                    "tap session passthrough dax migration trace " + PROTOCOLS,
                    "the daemon wires its parts, and knows no guest"),
            direction(
                    "guest.command",
                    "guest daemon tap session passthrough dax trace " + PROTOCOLS,
                    "commands start whatever there is"),
            direction(
                    "guest.demo", "guest tap passthrough trace " + PROTOCOLS, "a demo sets up both ends to show them"),
            direction(
                    "guest.shell",
                    "guest tap passthrough dax trace " + PROTOCOLS,
                    "a shell sets up both ends to show them"),
            direction(
                    "guest.experiment",
                    "guest daemon session tap passthrough dax trace " + PROTOCOLS,
                    "an experiment sets up both ends, and holds a stopwatch inside"),
            direction(
                    "guest.workload",
                    "guest tap passthrough dax trace " + PROTOCOLS,
                    "work needs both ends set up to be measured"),
            direction("guest.tap", "guest tap trace " + PROTOCOLS, "taps write flags as the other taps do"),
            direction(
                    "guest.program",
                    "guest daemon tap session passthrough dax trace " + PROTOCOLS,
                    "the server of a program is ours, whoever its guest is"),
            direction("guest.bridge", "guest " + PROTOCOLS, "a bridge plays the driver, for any device"),
            direction("guest.qemu", "guest", "a real guest knows a daemon by its socket only"),
            direction(
                    "guest",
                    "guest trace " + PROTOCOLS,
                    "a guest that shares code with the daemon would share its mistakes"),
            direction(
                    "visualizer.anatomy",
                    "guest.wireshark fuse wire",
                    "bytes mean the same whatever run they are from"),
            direction("visualizer.paint", "", "colours and letters mean the same whatever is drawn"),
            direction("visualizer.timeline", "trace", "a run is what a capture says, and nothing else"),
            direction(
                    "visualizer.query",
                    "visualizer.timeline visualizer.anatomy trace fuse posix",
                    "a question is about a run, not about its picture"),
            direction(
                    "visualizer.sheet",
                    "visualizer.paint visualizer.timeline trace posix",
                    "what stands on every sheet does not depend on the picture"),
            direction(
                    "visualizer.view",
                    "visualizer.sheet visualizer.paint visualizer.timeline visualizer.anatomy guest.kernel.rule trace"
                            + " posix",
                    "a picture is a function of a run, wherever that came from"),
            direction(
                    "visualizer.export",
                    "visualizer.sheet visualizer.timeline trace",
                    "other tools get what a picture would show"),
            direction(
                    "visualizer.command",
                    "visualizer guest.command trace posix",
                    "commands start whatever there is, and refuse alike"),
            direction(
                    "visualizer.scenario",
                    "visualizer.timeline guest tap session passthrough dax trace " + PROTOCOLS,
                    "a scenario sets up both ends to show them"),
            direction(
                    "visualizer",
                    "visualizer guest trace",
                    "the window looks at a trace, and must not be able to touch a daemon"),
            direction(
                    "conformance",
                    "conformance guest daemon tap session passthrough dax migration trace visualizer " + PROTOCOLS,
                    "tests see all"));

    /// Libraries that one package hides from all others.
    static final List<Direction> LIBRARIES = List.of(
            new Direction("jnr.", List.of("vitrine.posix"), "native calls are made in one place, where errno is read"),
            new Direction(
                    "javafx.", List.of("vitrine.visualizer.window"), "everything but the window runs without a screen"),
            new Direction(
                    "org.jline.",
                    List.of("vitrine.guest.command", "vitrine.guest.shell"),
                    "a terminal is for commands"));

    /// Only where a machine is put together, in one process, do the two ends meet.
    private static final List<String> MACHINE_MAY_ALSO_USE =
            List.of("vitrine.session", "vitrine.passthrough", "vitrine.dax", "vitrine.tap", "vitrine.daemon");

    private static final Pattern OURS = Pattern.compile("\\bvitrine(\\.[a-z][a-z0-9]*)+(?=\\.[A-Z])");
    private static final Pattern NOT_CODE = Pattern.compile("//.*|\"(\\\\.|[^\"\\\\])*\"");

    private Directions() {}

    /// Each line of code, an import or a qualified name, that reaches where it must not.
    static List<Finding> broken(SourceFile file) {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < file.lines().size(); i++) {
            String code = NOT_CODE.matcher(file.lines().get(i)).replaceAll("");
            if (code.startsWith("package ")) {
                continue;
            }
            findings.addAll(brokenByPackages(file, i + 1, code));
            findings.addAll(brokenByLibraries(file, i + 1, code));
        }
        return findings;
    }

    private static List<Finding> brokenByPackages(SourceFile file, int line, String code) {
        List<Finding> findings = new ArrayList<>();
        Matcher matcher = OURS.matcher(code);
        while (matcher.find()) {
            String used = matcher.group();
            Direction direction = directionOf(file.packageName());
            if (direction == null) {
                findings.add(file.finding(line, file.packageName() + " has no place in Directions.java: give it one"));
            } else if (!isAllowed(file, direction, used)) {
                String allowed = direction.mayUse().isEmpty() ? "nothing" : String.join(", ", direction.mayUse());
                findings.add(file.finding(
                        line,
                        direction.from() + " must not use " + used + ": " + direction.reason() + " (it may use "
                                + allowed + ")"));
            }
        }
        return findings;
    }

    private static List<Finding> brokenByLibraries(SourceFile file, int line, String code) {
        return LIBRARIES.stream()
                .filter(library -> code.matches("import (static )?" + Pattern.quote(library.from()) + ".*"))
                .filter(library -> library.mayUse().stream().noneMatch(user -> isUnder(file.packageName(), user)))
                .filter(library -> !isUnder(file.packageName(), "vitrine.conformance"))
                .map(library -> file.finding(
                        line,
                        library.from() + "* belongs into " + String.join(", ", library.mayUse()) + ": "
                                + library.reason()))
                .toList();
    }

    private static Direction directionOf(String packageName) {
        return ALL.stream()
                .filter(direction -> isUnder(packageName, direction.from()))
                .findFirst()
                .orElse(null);
    }

    private static boolean isAllowed(SourceFile file, Direction direction, String used) {
        boolean isMachine = file.packageName().equals("vitrine.guest");
        return isUnder(used, direction.from())
                || direction.mayUse().stream().anyMatch(allowed -> isUnder(used, allowed))
                || isMachine && MACHINE_MAY_ALSO_USE.stream().anyMatch(allowed -> isUnder(used, allowed));
    }

    private static boolean isUnder(String name, String ancestor) {
        return name.equals(ancestor) || name.startsWith(ancestor + ".");
    }
}
