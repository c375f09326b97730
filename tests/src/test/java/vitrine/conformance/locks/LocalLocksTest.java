package vitrine.conformance.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.struct.FileLock;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.RangeLock;
import vitrine.posix.Syscalls;

/// Locks that the server does not keep: three programs of the model's guest do what three processes
/// do on this host, and the same comes of it.
@Timeout(60)
class LocalLocksTest {

    private static final int PROGRAMS = 3;
    private static final int SLOTS = 4;

    @TempDir
    private Path folder;

    private final List<Process> lockers = new ArrayList<>();
    private final List<BufferedReader> answers = new ArrayList<>();
    private final List<String> pids = new ArrayList<>();

    private final List<GuestProcess> programs = new ArrayList<>();
    private final List<Map<Integer, Integer>> descriptors = new ArrayList<>();
    private PassthroughFs fileSystem;
    private Machine machine;

    @BeforeEach
    void begin() throws Exception {
        Needs.root();
        Needs.tool("gcc", "gcc libc6-dev");
        Path source = folder.resolve("locker.c");
        try (InputStream text = LocalLocksTest.class.getResourceAsStream("locker.c")) {
            Files.copy(text, source);
        }
        Path locker = folder.resolve("locker");
        assertEquals(
                0,
                new ProcessBuilder("gcc", "-o", locker.toString(), source.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
        Path share = Files.createDirectory(folder.resolve("share"));
        Files.createFile(share.resolve("f"));
        fileSystem = new PassthroughFs(new Syscalls(Libc.load()), share.toString(), PassthroughOptions.DEFAULT);
        machine = Machine.stepped(fileSystem, MachineOptions.DEFAULT);
        for (int i = 0; i < PROGRAMS; i++) {
            Process process =
                    new ProcessBuilder(locker.toString(), share.resolve("f").toString()).start();
            lockers.add(process);
            answers.add(process.inputReader());
            pids.add(onHost(i, "pid"));
            programs.add(machine.rootProgram());
            descriptors.add(new HashMap<>());
        }
    }

    @AfterEach
    void end() throws Exception {
        for (Process locker : lockers) {
            locker.outputWriter().close();
            locker.waitFor();
        }
        machine.close();
        fileSystem.close();
    }

    private String onHost(int program, String call) throws IOException {
        var writer = lockers.get(program).outputWriter(StandardCharsets.UTF_8);
        writer.write(call + "\n");
        writer.flush();
        String answer = answers.get(program).readLine();
        for (int i = 0; i < pids.size(); i++) {
            answer = answer.replaceFirst(" " + pids.get(i) + "$", " of " + i);
        }
        return answer;
    }

    private String inGuest(int who, String call) throws IOException {
        String[] words = call.split(" ");
        GuestProcess program = programs.get(who);
        Map<Integer, Integer> slots = descriptors.get(who);
        int slot = Integer.parseInt(words[1]);
        try {
            switch (words[0]) {
                case "open" -> slots.put(slot, program.open("/f", Fcntl.O_RDWR));
                case "dup" -> slots.put(slot, program.dup(slots.get(Integer.parseInt(words[2]))));
                case "close" -> program.close(slots.get(slot));
                case "flock" -> program.flock(slots.get(slot), Integer.parseInt(words[2]) | Fcntl.LOCK_NB);
                case "set" -> program.lock(slots.get(slot), range(words));
                default -> {
                    FileLock lock = program.lockInTheWay(slots.get(slot), range(words));
                    return lock.type() == Fcntl.F_UNLCK ? "0" : shown(lock);
                }
            }
            return "0";
        } catch (ErrnoException e) {
            return String.valueOf(e.errno());
        }
    }

    private static RangeLock range(String[] words) {
        long start = Long.parseLong(words[3]);
        long length = Long.parseLong(words[4]);
        return new RangeLock(
                Integer.parseInt(words[2]), start, length == 0 ? RangeLock.END_OF_FILE : start + length - 1);
    }

    private String shown(FileLock lock) {
        long length = lock.end() == RangeLock.END_OF_FILE ? 0 : lock.end() - lock.start() + 1;
        int who = 0;
        while (programs.get(who).task().pid() != lock.pid()) {
            who++;
        }
        return lock.type() + " " + lock.start() + " " + length + " of " + who;
    }

    /// Both do it; what came of it.
    private String both(int program, String call) throws IOException {
        String host = onHost(program, call);
        assertEquals(host, inGuest(program, call), () -> program + ": " + call);
        return host;
    }

    /// Whatever they do without waiting: ranges that touch or are cut, flock(2) from shared to
    /// exclusive and back, descriptors that are closed. Which of several locks is in the way is the
    /// kernel's order: by process, and within it by place.
    ///
    /// Seen to catch: ranges that touch left apart; the order of locks that of their setting; a
    /// shared lock that outlives the attempt to make it exclusive; a close(2) that takes nothing.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theSameComesOfIt(long seed) throws Exception {
        Random random = new Random(seed);
        for (int program = 0; program < PROGRAMS; program++) {
            for (int slot = 0; slot < SLOTS; slot++) {
                both(program, "open " + slot);
            }
        }
        for (int i = 0; i < 500; i++) {
            int slot = random.nextInt(SLOTS);
            String range = slot + " " + random.nextInt(2) + " " + random.nextInt(20) + " " + random.nextInt(8);
            int program = random.nextInt(PROGRAMS);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> both(program, "set " + range);
                case 3, 4 -> both(program, "set " + range.replaceFirst(" . ", " 2 "));
                case 5, 6, 7 -> both(program, "get " + range);
                case 8, 9 ->
                    both(program, "flock " + slot + " " + List.of(1, 2, 8).get(random.nextInt(3)));
                case 10 -> {
                    both(program, "close " + slot);
                    both(program, random.nextBoolean() ? "open " + slot : "dup " + slot + " " + (slot + 1) % SLOTS);
                }
                default -> both(program, "get " + slot + " 1 0 0");
            }
        }
    }

    /// A lock of fcntl(2) goes when its process closes any descriptor of the file, one of flock(2)
    /// when the last descriptor of the open file is closed. The process that is in the way is
    /// named.
    ///
    /// Seen to catch: a close(2) that takes nothing.
    @Test
    void whatACloseTakesWithIt() throws Exception {
        for (String call : List.of("open 0", "open 1", "dup 2 1", "set 0 1 0 10", "flock 1 2")) {
            both(0, call);
        }
        both(1, "open 0");
        assertEquals("1 0 10 of 0", both(1, "get 0 1 5 1"));

        both(0, "close 1");

        assertEquals("0", both(1, "set 0 1 5 1"));
        assertEquals("11", both(1, "flock 0 2"), "slot 2 is the same open file");
        both(0, "close 2");
        assertEquals("0", both(1, "flock 0 2"));
    }
}
