package vitrine.guest.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.frontend.FrontendException;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.FileStatus;
import vitrine.posix.Libc;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceClock;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceList;

/// One half of the demo: a program writes into somebody else's set-user-ID file, and everything
/// that happens is written down.
///
/// @param killprivV2 whether INIT agreed on HANDLE_KILLPRIV_V2
/// @param modeBefore of the file on the host, before the program ran
/// @param modeAfter of the file on the host, after it
/// @param writes for each write(2) of the program, the requests that it caused
/// @param events everything that was seen
record DemoRun(
        boolean killprivV2, int modeBefore, int modeAfter, List<List<RequestStory>> writes, List<TraceEvent> events) {

    /// The file's name in the share.
    static final String FILE = "tool";

    /// The name of a file that is there for a moment only.
    static final String FIRST = "first";

    /// Writes of the program.
    static final int WRITES = 3;

    private static final int OWNER_ROOT = 0;
    private static final int USER = 1000;
    private static final int MODE = 04777; // everybody may write to it, and it runs as root
    private static final byte[] DATA = "patched\n".getBytes(StandardCharsets.US_ASCII);

    /// Runs it on a new file in a directory of the host.
    static DemoRun in(Path directory, boolean killprivV2) throws ErrnoException, FrontendException, IOException {
        TraceList trace = new TraceList();
        Recorder recorder = new Recorder(trace, TraceClock.wall(), Actor.DAEMON);
        Syscalls plain = new Syscalls(Libc.load());
        Path file = directory.resolve(FILE);
        Files.writeString(file, "#!/bin/sh\nid\n");
        setMode(plain, file);
        int before = mode(plain, file);

        PassthroughOptions options =
                PassthroughOptions.DEFAULT.with(Feature.XATTR).with(Feature.KILLPRIV_V2, killprivV2);
        Syscalls watched = new Syscalls(TappedLibc.tap(Libc.load(), recorder));
        KernelProfile client =
                killprivV2 ? KernelProfile.LINUX_6_1 : KernelProfile.LINUX_6_1.without(InitFlag.HANDLE_KILLPRIV_V2);
        MachineOptions machine = MachineOptions.DEFAULT.withKernel(client);
        try (PassthroughFs fileSystem = new PassthroughFs(watched, directory.toString(), options);
                Machine guest = Machine.inProcess(fileSystem, machine, recorder)) {
            prepare(guest.rootProgram());
            write(guest.userProgram(USER, USER));
        }
        List<TraceEvent> events = trace.events();
        return new DemoRun(killprivV2, before, mode(plain, file), writes(events), events);
    }

    /// A first write, to another file: what a queue's thread does once in its life is not to be
    /// part of the story.
    private static void prepare(GuestProcess program) throws ErrnoException {
        int fd = program.open("/" + FIRST, Fcntl.O_CREAT | Fcntl.O_WRONLY, 0600);
        program.write(fd, DATA);
        program.close(fd);
        program.unlink("/" + FIRST);
    }

    private static void write(GuestProcess program) throws ErrnoException {
        int fd = program.open("/" + FILE, Fcntl.O_WRONLY);
        for (int i = 0; i < WRITES; i++) {
            program.write(fd, DATA);
        }
        program.close(fd);
    }

    private static List<List<RequestStory>> writes(List<TraceEvent> events) {
        List<RequestStory> stories = RequestStories.from(events).stories();
        return events.stream()
                .filter(event -> event instanceof TraceEvent.GuestCallEntered call
                        && call.name().equals("pwrite"))
                .skip(1) // of the preparation
                .map(event -> stories.stream()
                        .filter(story -> story.guestCall() == event.at().keys().guestCall())
                        .filter(story -> story.opcode().isPresent())
                        .toList())
                .toList();
    }

    private static void setMode(Syscalls sys, Path file) throws ErrnoException {
        try (var fd = sys.openPath(file.toString(), Fcntl.O_PATH)) {
            sys.chown(fd, OWNER_ROOT, OWNER_ROOT);
            sys.chmod(fd, MODE);
        }
    }

    private static int mode(Syscalls sys, Path file) throws ErrnoException {
        try (var fd = sys.openPath(file.toString(), Fcntl.O_PATH)) {
            FileStatus status = sys.statx(fd, Stat.STATX_MODE);
            return status.mode() & 07777;
        }
    }

    /// All requests that the writes caused, in their order.
    List<RequestStory> requests() {
        return writes.stream().flatMap(List::stream).toList();
    }

    /// System calls of the host that served those requests.
    int hostCalls() {
        return requests().stream()
                .mapToInt(story -> story.all(TraceEvent.HostCall.class).size())
                .sum();
    }

    /// Notifications of a kind that came of those requests.
    long notified(TraceEvent.Signal signal) {
        return requests().stream()
                .flatMap(story -> story.all(TraceEvent.Notified.class).stream())
                .filter(told -> told.signal() == signal)
                .count();
    }
}
