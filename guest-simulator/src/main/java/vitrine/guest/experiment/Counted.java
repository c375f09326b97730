package vitrine.guest.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.cost.Entry;
import vitrine.guest.cost.Ledger;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.WritePath;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceClock;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceList;

/// Some operations on a stepped machine with our daemon, counted: what each took, and which rules
/// of the guest's kernel decided it.
///
/// @param operations the requests of each
/// @param rules what was decided during the last of them
record Counted(List<List<Entry>> operations, List<String> rules) {

    private static final int TIMES = 8;

    /// What is counted.
    ///
    /// @param call the guest's system call that one operation is
    /// @param steps what makes the program ready, and what it then does again and again
    record Script(String call, Steps steps) {}

    /// Makes a program ready; what it answers is done several times.
    interface Steps {
        Operation on(GuestProcess program) throws ErrnoException;
    }

    /// One operation.
    interface Operation {
        void run(int time) throws ErrnoException;
    }

    static Counted in(Setting setting, int uid, Script script) throws IOException {
        TraceList trace = new TraceList();
        Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
        Syscalls sys = new Syscalls(TappedLibc.tap(Libc.load(), recorder));
        MachineOptions options = setting.machine();
        try (TemporaryFolder folder = TemporaryFolder.named("vitrine-counted-")) {
            Path share = Files.createDirectory(folder.path().resolve("share"));
            Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
            try (PassthroughFs fileSystem = new PassthroughFs(
                            sys,
                            share.toString(),
                            setting.daemon(),
                            options.dax().window());
                    Machine machine = Machine.stepped(fileSystem, options, recorder)) {
                GuestProcess program = uid == 0 ? machine.ownProgram() : machine.userProgram(uid, uid);
                Operation operation = script.steps().on(program);
                operation.run(0); // what is done once only
                trace.clear();
                for (int time = 1; time <= TIMES; time++) {
                    operation.run(time);
                }
                return of(trace.events(), script.call(), setting.daemon().writePath() == WritePath.BOUNCED);
            }
        } catch (ErrnoException e) {
            throw new IOException(setting.name() + ": " + e.getMessage(), e);
        }
    }

    private static Counted of(List<TraceEvent> events, String call, boolean bounces) {
        List<List<Entry>> operations = Ledger.of(events, bounces).perCall(events, call);
        long lastCall = operations.getLast().getLast().guestCall();
        List<String> rules = new ArrayList<>();
        for (TraceEvent event : events) {
            if (event instanceof TraceEvent.GuestDecision decision
                    && decision.at().keys().guestCall() == lastCall) {
                rules.add(decision.rule() + " → " + decision.outcome());
            }
        }
        return new Counted(operations, rules);
    }

    /// What an operation takes on average.
    Row.Counts counts() {
        Map<String, Double> requests = new TreeMap<>();
        Map<String, Double> hostCalls = new TreeMap<>();
        double share = 1.0 / operations.size();
        for (Entry entry : operations.stream().flatMap(List::stream).toList()) {
            requests.merge(entry.opcode(), share, Double::sum);
            entry.hostCalls().forEach((name, count) -> hostCalls.merge(name, count * share, Double::sum));
        }
        return new Row.Counts(requests, hostCalls);
    }

    /// The operations over and over.
    List<List<Entry>> repeated(int times) {
        List<List<Entry>> many = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            many.add(operations.get(i % operations.size()));
        }
        return many;
    }
}
