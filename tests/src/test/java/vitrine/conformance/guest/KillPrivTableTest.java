package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.passthrough.PassthroughFs;

/// What is left of set-ID bits and capabilities after a change, and what the program is told: as on
/// the host, or as `docs/limits.md` says.
///
/// The same was seen in a real guest of Linux 6.1, case by case, under each agreement but V1.
class KillPrivTableTest {

    private static final List<Integer> MODES = List.of(04777, 02777, 02767, 06777, 06767, 0777);

    private static final Map<Limits.Case, String> ON_HOST = new HashMap<>(); // the same for all agreements

    @TempDir
    private Path directory;

    private Path onHost;
    private Path share;

    @BeforeEach
    void directories() throws Exception {
        Needs.root();
        onHost = Files.createDirectory(directory.resolve("host"));
        share = Files.createDirectory(directory.resolve("share"));
    }

    /// Each deed on each file by everybody.
    ///
    /// Field report: fuser #723.
    ///
    /// Caught: the flags of WRITE, OPEN and SETATTR ignored by the daemon, each; O_TRUNC within
    /// OPEN agreed on without V2; an empty SETATTR taken literally, or obeyed whoever sends it; the
    /// caller's group not taken on; bits taken along with capabilities when root writes.
    @ParameterizedTest
    @EnumSource
    void whatIsLeftIsWhatTheHostWouldLeave(Agreement agreement) throws Exception {
        Limits limits = Limits.read();
        // The daemon's part runs on a thread of its own, so that this one keeps its rights.
        try (ExecutorService guest = Executors.newSingleThreadExecutor();
                HostRoot host = new HostRoot(Twins.SYS, onHost)) {
            PassthroughFs fileSystem = new PassthroughFs(Twins.SYS, share.toString(), agreement.options());
            Machine machine = guest.submit(() -> boot(fileSystem, agreement)).get();
            int cases = 0;
            for (Caller caller : Caller.values()) {
                Program program = new GuestProgram(caller.in(machine), 2);
                Program twin = caller.on(host, 2);
                for (Limits.Case it : cases(caller)) {
                    PrivilegedFile file = new PrivilegedFile(Integer.parseInt(it.mode(), 8), it.capabilities());
                    if (!ON_HOST.containsKey(it)) {
                        file.make(onHost);
                        ON_HOST.put(it, PrivilegedFile.after(it.deed(), twin, caller.gid(), onHost));
                    }
                    file.make(share);
                    String seen = guest.submit(after(it, program, caller)).get();

                    limits.require(agreement.title(), it, ON_HOST.get(it), seen);
                    cases++;
                }
            }
            assertTrue(cases > 700, cases + " cases");
            limits.requireAllMet(agreement.title(), Deed.NAMES);
            guest.submit(() -> close(machine, fileSystem)).get();
        }
    }

    /// A kernel that remembers nothing, for the files are made by the host, behind its back.
    private static Machine boot(PassthroughFs fileSystem, Agreement agreement) throws Exception {
        return Machine.stepped(
                fileSystem, MachineOptions.DEFAULT.withKernel(agreement.client().with(Habit.NO_MEMORY)));
    }

    private static List<Limits.Case> cases(Caller caller) {
        return Deed.NAMES.stream()
                .flatMap(deed -> MODES.stream()
                        .map(Integer::toOctalString)
                        .flatMap(mode -> List.of(false, true).stream()
                                .map(capabilities -> new Limits.Case(deed, mode, caller.toString(), capabilities))))
                .toList();
    }

    private Callable<String> after(Limits.Case it, Program program, Caller caller) {
        return () -> PrivilegedFile.after(it.deed(), program, caller.gid(), share);
    }

    private static Void close(Machine machine, PassthroughFs fileSystem) throws Exception {
        machine.close();
        fileSystem.close();
        return null;
    }
}
