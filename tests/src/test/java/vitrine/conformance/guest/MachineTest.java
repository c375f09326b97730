package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.linux.LinuxKernel;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// Machines: whatever is behind the queues, programs in the guest do not notice.
@Timeout(60) // less than the patience of the machines here: a lost call is a failure, not a delay
class MachineTest {

    private static final MachineOptions USUAL = MachineOptions.DEFAULT.withPatience(Duration.ofMinutes(2));

    @TempDir
    private Path directory;

    /// A program that does a bit of everything.
    private static final List<Call> PROGRAM = List.of(
            Call.silent(0, "mkdir", program -> program.mkdir("dir", 0755)),
            Call.silent(0, "create", program -> program.open(0, "dir/file", Fcntl.O_CREAT | Fcntl.O_RDWR, 0644)),
            Call.of(0, "write", program -> program.write(0, bytes(300_000))),
            Call.of(0, "read back", program -> program.pread(0, 250_000, 40_000)),
            Call.of(0, "hole", program -> program.pwrite(0, bytes(10), 1_000_000)),
            Call.of(0, "seek", program -> program.lseek(0, 400_000, Fcntl.SEEK_DATA)),
            Call.silent(0, "punch", program -> program.fallocate(0, 3, 8192, 4096)),
            Call.silent(0, "copy", program -> program.open(1, "dir/copy", Fcntl.O_CREAT | Fcntl.O_RDWR, 0600)),
            Call.of(0, "copy", program -> program.copy(new Program.Place(0, 0), new Program.Place(1, 7), 20_000)),
            Call.silent(0, "append", program -> program.open(2, "dir/copy", Fcntl.O_WRONLY | Fcntl.O_APPEND, 0)),
            Call.of(0, "append", program -> program.write(2, bytes(5))),
            Call.of(0, "fstat", program -> program.fstat(1)),
            Call.silent(0, "shorten", program -> program.truncate("dir/copy", 100)),
            Call.silent(0, "exclusively", program -> program.open(1, "dir/copy", 0302, 0600)),
            Call.silent(0, "symlink", program -> program.symlink("dir/../dir/file", "link")),
            Call.of(0, "readlink", program -> program.readlink("link")),
            Call.of(0, "stat by link", program -> program.stat("link", true)),
            Call.silent(0, "link", program -> program.link("dir/file", "dir/second")),
            Call.silent(0, "rename", program -> program.rename("dir/second", "third", 0)),
            Call.silent(0, "rename no more", program -> program.rename("link", "third", Fcntl.RENAME_NOREPLACE)),
            Call.silent(0, "mkfifo", program -> program.mknod("dir/fifo", Stat.S_IFIFO | 0622, 0)),
            Call.of(0, "readdir", program -> program.readdir("dir")),
            Call.silent(0, "setxattr", program -> program.setxattr("dir/file", "user.name", bytes(40), 0)),
            Call.of(0, "getxattr", program -> program.getxattr("dir/file", "user.name")),
            Call.of(0, "listxattr", program -> program.listxattr("dir/file")),
            Call.silent(0, "chmod", program -> program.chmod("dir/file", 04755)),
            Call.silent(0, "chown", program -> program.chown("third", 1000, -1, true)),
            Call.of(0, "stat", program -> program.stat("dir/file", false)),
            Call.silent(0, "utimens", program -> program.utimens("third", 1L, 2L)),
            Call.silent(0, "rmdir of what is full", program -> program.rmdir("dir")),
            Call.silent(0, "unlink", program -> program.unlink("dir/copy")),
            Call.silent(0, "nothing there", program -> program.unlink("dir/copy")),
            Call.silent(0, "ftruncate", program -> program.ftruncate(0, 1000)),
            Call.silent(0, "close", program -> program.close(0)),
            Call.silent(0, "close", program -> program.close(2)));

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + i / 4096);
        }
        return bytes;
    }

    private static List<String> run(GuestProcess process) {
        Program program = new GuestProgram(process, Twins.SLOTS);
        return PROGRAM.stream()
                .map(call -> call.text() + ": " + call.outcome(program))
                .toList();
    }

    private Path shared(String name) throws Exception {
        return Files.createDirectories(directory.resolve(name));
    }

    /// A driver works with any device (virtio 1.3, 5.11), so a program comes out the same and
    /// leaves the same behind, with all kinds of them.
    @ParameterizedTest
    @EnumSource
    void aProgramComesOutTheSameOnEveryKindOfMachine(Kind kind) throws Exception {
        Needs.root();
        Path usual = shared("usual");
        Path other = shared("other");
        List<String> expected;
        try (var stepped = Kind.STEPPED.start(usual, directory, USUAL.withSeed(7))) {
            expected = run(stepped.machine().rootProgram());
        }

        List<String> results;
        try (var running = kind.start(other, directory, USUAL)) {
            results = run(running.machine().rootProgram());
        }

        assertEquals(String.join("\n", expected), String.join("\n", results));
        assertEquals(Tree.of(Twins.SYS, usual), Tree.of(Twins.SYS, other));
    }

    /// With each size of queue, with and without event index and indirect chains, it is the same
    /// again (virtio 1.3, 2.7.7, 2.7.5.3).
    @ParameterizedTest
    @ValueSource(ints = {8, 64, 1024})
    void aProgramComesOutTheSameOnEveryKindOfQueue(int size) throws Exception {
        Path usual = shared("usual");
        List<String> expected;
        try (var running = Kind.STEPPED.start(usual, directory, USUAL)) {
            expected = run(running.machine().rootProgram());
        }
        for (boolean eventIndex : List.of(true, false)) {
            for (boolean indirect : List.of(true, false)) {
                MachineOptions options =
                        USUAL.withQueueSize(size).withEventIndex(eventIndex).withIndirect(indirect);
                Kind kind = eventIndex == indirect ? Kind.IN_PROCESS : Kind.STEPPED;
                Path other = shared(eventIndex + "-" + indirect);

                List<String> results;
                try (var running = kind.start(other, directory, options)) {
                    results = run(running.machine().rootProgram());
                }

                assertEquals(String.join("\n", expected), String.join("\n", results), options.toString());
            }
        }
    }

    /// And again with packed queues, which may have any number of entries (virtio 1.3, 2.8).
    @ParameterizedTest
    @ValueSource(ints = {8, 100})
    void aProgramComesOutTheSameOnPackedQueues(int size) throws Exception {
        Path usual = shared("usual");
        List<String> expected;
        try (var running = Kind.STEPPED.start(usual, directory, USUAL)) {
            expected = run(running.machine().rootProgram());
        }
        for (Kind kind : List.of(Kind.STEPPED, Kind.IN_PROCESS)) {
            for (boolean eventIndex : List.of(true, false)) {
                MachineOptions options =
                        USUAL.withQueueSize(size).withEventIndex(eventIndex).withPacked(true);
                Path other = shared(kind + "-" + eventIndex);

                List<String> results;
                try (var running = kind.start(other, directory, options)) {
                    results = run(running.machine().rootProgram());
                }

                assertEquals(String.join("\n", expected), String.join("\n", results), options.toString());
                assertEquals(Tree.of(Twins.SYS, usual), Tree.of(Twins.SYS, other));
            }
        }
    }

    /// FORGET gives back exactly what replies have counted (fuse.h: fuse_forget_in): when all is
    /// closed and the caches are dropped, the guest knows the root alone, and the daemon holds no
    /// descriptor for it.
    ///
    /// Seen to catch: a FORGET of one lookup, however many there were.
    @ParameterizedTest
    @EnumSource(names = {"STEPPED", "IN_PROCESS"})
    void whatTheGuestLetsGoIsGoneInTheDaemon(Kind kind) throws Exception {
        try (var running = kind.start(shared("shared"), directory, USUAL)) {
            GuestProcess process = running.machine().rootProgram();
            process.mkdir("/first", 0700); // whatever a thread opens once
            running.machine().kernel().dropCaches();
            long before = descriptors();

            List<String> results = run(process);

            assertEquals(PROGRAM.size(), results.size());
            running.machine().kernel().dropCaches();
            assertEquals(1, ((LinuxKernel) running.machine().kernel()).knownFiles());
            assertEquals(before, descriptors());
        }
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /// The same, seen in the daemon's own process.
    @Test
    void theDaemonsProcessIsLeftAsItWas() throws Exception {
        Path shared = shared("shared");
        try (DaemonProcess daemon = DaemonProcess.serving(directory.resolve("daemon"), shared, "--xattr");
                Machine machine = Machine.connect(daemon.socket(), USUAL)) {
            GuestProcess process = machine.rootProgram();
            process.mkdir("/first", 0700);
            machine.kernel().dropCaches();
            long before = daemon.descriptors();

            run(process);
            machine.kernel().dropCaches();

            assertEquals(before, daemon.descriptors());
        }
    }

    /// Programs on threads of their own come out as if each were alone.
    ///
    /// Seen to catch: a thread that takes back the chains of others and does not tell them.
    @ParameterizedTest
    @ValueSource(ints = {8, 128})
    void programsAtTheSameTimeDoNotDisturbEachOther(int queueSize) throws Exception {
        try (var running = Kind.IN_PROCESS.start(shared("shared"), directory, USUAL.withQueueSize(queueSize))) {
            Machine machine = running.machine();
            for (int i = 0; i < 4; i++) {
                machine.rootProgram().mkdir("/" + i, 0700);
            }
            machine.rootProgram().mkdir("/alone", 0700);
            List<String> expected = run(in(machine, "/alone"));

            List<List<String>> results = atOnce(4, i -> run(in(machine, "/" + i)));

            results.forEach(result -> assertEquals(String.join("\n", expected), String.join("\n", result)));
        }
    }

    private static GuestProcess in(Machine machine, String path) {
        GuestProcess process = machine.rootProgram();
        try {
            process.chdir(path);
        } catch (ErrnoException e) {
            throw new IllegalStateException(e);
        }
        return process;
    }

    /// A queue of four entries has room for one request of four descriptors. Everybody else waits
    /// for room, and gets it: no call of the device is lost between the threads.
    ///
    /// Seen to catch: a thread that takes back the chains of others and does not tell them.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyThreadsFindRoomInATinyQueue(boolean eventIndex) throws Exception {
        MachineOptions options = USUAL.withQueueSize(4).withIndirect(false).withEventIndex(eventIndex);
        try (var running = Kind.IN_PROCESS.start(shared("shared"), directory, options)) {
            Machine machine = running.machine();
            machine.rootProgram().mkdir("/d", 0700);

            List<Boolean> results = atOnce(8, i -> looks(machine.rootProgram(), "/d/" + i));

            assertTrue(results.stream().allMatch(Boolean::booleanValue));
            machine.kernel().dropCaches();
            assertEquals(1, ((LinuxKernel) machine.kernel()).knownFiles());
        }
    }

    private static boolean looks(GuestProcess process, String path) throws ErrnoException {
        process.mkdir(path, 0700);
        boolean all = true;
        for (int look = 0; look < 40; look++) {
            all &= Stat.isDirectory(process.stat(path).mode());
        }
        process.rmdir(path);
        return all;
    }

    private interface Job<T> {
        T of(int number) throws Exception;
    }

    private static <T> List<T> atOnce(int threads, Job<T> job) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Callable<T>> jobs = IntStream.range(0, threads)
                    .mapToObj(i -> (Callable<T>) () -> job.of(i))
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(jobs)) {
                results.add(future.get());
            }
            return results;
        }
    }
}
