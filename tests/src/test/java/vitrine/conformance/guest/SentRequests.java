package vitrine.conformance.guest;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceList;

/// Which requests a deed makes the guest send, in a few words each.
///
/// `GA` stands for GETATTR, `GX` for GETXATTR, the question after capabilities, `SA` for SETATTR;
/// then come the flags of `valid` and their like. What is looked up on the way is left out, and so
/// is how a file is closed.
///
/// @param options how the daemon is set up
/// @param client what the guest offers
record SentRequests(Path share, PassthroughOptions options, KernelProfile client) {

    private static final Set<String> UNTOLD = Set.of("FORGET", "FLUSH", "RELEASE", "DESTROY");
    private static final Set<String> FLAGS = Set.of("valid", "write_flags", "open_flags", "getattr_flags");

    /// Does it, and tells the requests.
    String of(String deed, Caller who) throws Exception {
        TraceList trace = new TraceList();
        Recorder recorder = new Recorder(trace, () -> 0, Actor.DAEMON);
        MachineOptions machineOptions = MachineOptions.DEFAULT.withKernel(client);
        try (PassthroughFs fileSystem = new PassthroughFs(Twins.SYS, share.toString(), options);
                Machine machine = Machine.stepped(fileSystem, machineOptions, recorder)) {
            GuestProcess root = machine.rootProgram();
            root.write(root.open("/before", Fcntl.O_WRONLY | Fcntl.O_CREAT, 0600), new byte[1]);
            root.exit();
            trace.clear();
            Deed.named(deed).by(new GuestProgram(who.in(machine), 2), who.gid());
            return trace.events().stream()
                    .filter(TraceEvent.RequestDecoded.class::isInstance)
                    .map(TraceEvent.RequestDecoded.class::cast)
                    .filter(request -> request.sender().nodeid() != 1)
                    .filter(request -> !UNTOLD.contains(request.opcode()))
                    .map(SentRequests::text)
                    .collect(Collectors.joining(", "));
        }
    }

    private static String text(TraceEvent.RequestDecoded request) {
        String flags = request.fields().stream()
                .filter(field -> FLAGS.contains(field.name()) && !field.value().equals("0"))
                .map(field -> field.value().replace("KILL_SUIDGID", "KILL").replace('|', ' '))
                .collect(Collectors.joining(" "));
        String name = switch (request.opcode()) {
            case "GETXATTR" -> "GX";
            case "GETATTR" -> "GA";
            case "SETATTR" -> "SA";
            default -> request.opcode();
        };
        return flags.isEmpty() ? name : name + " " + flags;
    }
}
