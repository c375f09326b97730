package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.Opcode;
import vitrine.guest.experiment.Bench;
import vitrine.guest.experiment.Setting;
import vitrine.guest.experiment.Where;
import vitrine.guest.experiment.WindowFiles;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.workload.SimulatedGuest;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// What is measured is what the setting says: with its window, and with its way to append.
@Timeout(60)
class MeasuredAppendTest {

    private static final int APPENDS = 8;
    private static final Set<Opcode> WAYS = Set.of(Opcode.WRITE, Opcode.FALLOCATE, Opcode.SETATTR, Opcode.SETUPMAPPING);
    private static final Bench BENCH =
            new Bench(new Where(Where.Guest.SIMULATOR, null, "", null), setting -> setting, 1, Duration.ZERO, _ -> {});

    @AutoClose
    private WindowFiles files;

    private List<Setting> settings;

    @BeforeEach
    void settings() throws IOException {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        files = WindowFiles.serve();

        settings = List.of(
                Setting.killpriv("no DAX", true),
                Setting.killpriv("FALLOCATE", true).withDax(files, ExtendingWrite.FALLOCATE_FIRST),
                Setting.killpriv("truncate", true).withDax(files, ExtendingWrite.TRUNCATE_FIRST),
                Setting.killpriv("DAX today", true).withDax(files, ExtendingWrite.WRITE));
    }

    /// Makes a file, and appends to it.
    private static void append(SimulatedGuest guest) throws IOException {
        GuestProcess program = guest.machine().ownProgram();
        try {
            int fd = program.open("/f", Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_TRUNC, 0600);
            for (int i = 0; i < APPENDS; i++) {
                program.pwrite(fd, new byte[5], i * 5);
            }
            program.close(fd);
        } catch (ErrnoException e) {
            throw new IOException(e);
        }
    }

    /// By which requests, in the round that warms up and in the one that counts; the mapping of the
    /// first is there still in the second.
    ///
    /// Caught: a machine that is made without the setting's window; a strategy that is not passed
    /// on.
    @Test
    void inTheServerEachSettingAppendsInItsWay() throws Exception {
        Map<String, Map<Opcode, Integer>> sent = new TreeMap<>();
        String[] now = {""};

        BENCH.measureInServer(
                "appends",
                settings,
                (setting, guest, _) -> {
                    now[0] = setting.name();
                    append(guest);
                    return 0;
                },
                request -> {
                    if (WAYS.contains(request.opcode())) {
                        sent.computeIfAbsent(now[0], _ -> new TreeMap<>()).merge(request.opcode(), 1, Integer::sum);
                    }
                    return false;
                });

        assertEquals(
                Map.of(
                        "no DAX", Map.of(Opcode.WRITE, 2 * APPENDS),
                        "FALLOCATE", Map.of(Opcode.FALLOCATE, 2 * APPENDS, Opcode.SETUPMAPPING, 1),
                        "truncate", Map.of(Opcode.SETATTR, 2 * APPENDS, Opcode.SETUPMAPPING, 1),
                        "DAX today", Map.of(Opcode.WRITE, 2 * APPENDS)),
                sent);
    }

    /// Likewise from the program's side.
    ///
    /// Caught: a machine that is made without the setting's window.
    @Test
    void theWholeIsMeasuredWithTheWindow() throws Exception {
        Map<String, Boolean> windows = new TreeMap<>();

        BENCH.measure("appends", settings, (setting, guest, _) -> {
            append(guest);
            windows.put(setting.name(), guest.machine().window().isPresent());
            return 0;
        });

        assertEquals(Map.of("no DAX", false, "FALLOCATE", true, "truncate", true, "DAX today", true), windows);
    }
}
