package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.Task;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// What the simulated kernel makes of calls that are younger than most of FUSE, as Linux 6.1 and
/// 6.12 were seen to.
class NewerCallsTest {

    private static final int NODUMP = 0x40; // FS_NODUMP_FL
    private static final int IMMUTABLE = 0x10;

    @TempDir
    private Path share;

    private final List<FuseRequest> asked = new ArrayList<>();
    private PassthroughFs fileSystem;
    private Machine machine;
    private GuestProcess root;

    @BeforeEach
    void start() throws Exception {
        Needs.root();
        Files.setAttribute(share, "unix:mode", 0777);
        fileSystem = new PassthroughFs(Twins.SYS, share.toString(), PassthroughOptions.DEFAULT);
        start(KernelProfile.LINUX_6_12);
    }

    private void start(KernelProfile client) throws Exception {
        if (machine != null) {
            machine.close();
        }
        machine = Machine.stepped(this::answer, MachineOptions.DEFAULT.withKernel(client));
        root = machine.rootProgram();
    }

    private Reply answer(FuseRequest request) throws ErrnoException {
        asked.add(request);
        return fileSystem.answer(request);
    }

    @AfterEach
    void close() throws Exception {
        if (machine != null) {
            machine.close();
            fileSystem.close();
        }
    }

    private GuestProcess user() {
        return machine.program(Task.user(5, 1000, 1000));
    }

    /// The requests since the last question, but for those that a walk and the end of it need.
    private String requests() {
        String text = asked.stream()
                .map(request -> request.opcode().name())
                .filter(name -> !List.of("LOOKUP", "GETATTR", "FORGET").contains(name))
                .collect(Collectors.joining(", "));
        asked.clear();
        return text;
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws ErrnoException;
    }

    private static int errno(Attempt attempt) {
        return assertThrows(ErrnoException.class, attempt::run).errno();
    }

    /// open(2), "O_TMPFILE": a file without a name, made with permissions and umask, and linked
    /// into place.
    ///
    /// Seen to catch: the umask forgotten; the directory's permissions not asked for; LINK sent for
    /// a file that may have no name; a file that can have one for ever, once it could.
    @Test
    void aFileWithoutANameIsLinkedIntoPlace() throws Exception {
        root.mkdir("closed", 0700);
        asked.clear();
        GuestProcess user = user();
        int fd = user.open(".", Fcntl.O_TMPFILE | Fcntl.O_RDWR, 0666);
        user.write(fd, "hello".getBytes());
        assertEquals(0, user.fstat(fd).nlink());

        user.link(fd, "name");
        user.close(fd);

        assertEquals("TMPFILE, GETXATTR, WRITE, LINK, FLUSH, RELEASE", requests());
        assertEquals("hello", Files.readString(share.resolve("name")));
        assertEquals(0644, (int) Files.getAttribute(share.resolve("name"), "unix:mode") & 07777);
        assertEquals(1000, Files.getAttribute(share.resolve("name"), "unix:uid"));
        assertEquals(Errno.EACCES, errno(() -> user.open("closed", Fcntl.O_TMPFILE | Fcntl.O_RDWR, 0666)));
        assertEquals(Errno.EINVAL, errno(() -> user.open(".", Fcntl.O_TMPFILE, 0666)));
        assertEquals("", requests()); // neither was the host's decision
        assertEquals(Errno.ENOTDIR, errno(() -> user.open("name", Fcntl.O_TMPFILE | Fcntl.O_RDWR, 0666)));
        int never = user.open(".", Fcntl.O_TMPFILE | Fcntl.O_EXCL | Fcntl.O_WRONLY, 0600);
        int last = user.open("name", Fcntl.O_RDWR, 0);
        user.unlink("name");
        asked.clear();
        assertEquals(Errno.ENOENT, errno(() -> user.link(never, "never")));
        assertEquals(Errno.ENOENT, errno(() -> user.link(last, "never")));
        assertEquals("", requests()); // it knows
    }

    /// Linux 6.6 and newer ask for the time of birth; an older one, or one without an answer, has
    /// none.
    ///
    /// Seen to catch: STATX sent by Linux 6.1; sent again after ENOSYS.
    @Test
    void theTimeOfBirthIsAskedFor() throws Exception {
        Files.writeString(share.resolve("f"), "");
        asked.clear();
        assertEquals(Stat.STATX_BTIME, root.statx("f").mask() & Stat.STATX_BTIME);
        assertEquals("STATX", requests());

        start(KernelProfile.LINUX_6_1);
        assertEquals(0, root.statx("f").mask() & Stat.STATX_BTIME);
        assertEquals("INIT", requests().replace("DESTROY, ", ""));

        machine.close();
        machine = Machine.stepped(
                request -> {
                    Reply reply = answer(request);
                    if (request instanceof InodeRequest.Statx) {
                        throw new ErrnoException("statx", Errno.ENOSYS);
                    }
                    return reply;
                },
                MachineOptions.DEFAULT.withKernel(KernelProfile.LINUX_6_12));
        assertEquals(Stat.STATX_BASIC_STATS, machine.rootProgram().statx("f").mask());
        assertEquals(Stat.STATX_BASIC_STATS, machine.rootProgram().statx("f").mask());
        assertEquals("DESTROY, INIT, STATX", requests());
    }

    /// Linux opens the file once more for each IOCTL, and before it sets flags it reads them. Who
    /// is not the owner is refused without a request.
    ///
    /// Seen to catch: the owner not checked; immutable for everybody; the second handle kept.
    @Test
    void fileFlagsTakeAHandleOfTheirOwn() throws Exception {
        GuestProcess user = user();
        int fd = user.open("f", Fcntl.O_CREAT | Fcntl.O_RDWR, 0644);
        Needs.that(hasFlags(user, fd), "needs file flags in " + share + ": set TMPDIR to a folder on ext4");
        int before = user.fileFlags(fd);
        asked.clear();

        user.setFileFlags(fd, before | NODUMP);

        assertEquals("OPEN, IOCTL, RELEASE, OPEN, IOCTL, RELEASE", requests());
        assertEquals(before | NODUMP, user.fileFlags(fd));
        asked.clear();
        assertEquals(Errno.EPERM, errno(() -> user.setFileFlags(fd, before | IMMUTABLE)));
        assertEquals("OPEN, IOCTL, RELEASE", requests());
        GuestProcess other = machine.program(Task.user(6, 1001, 1001));
        int others = other.open("f", Fcntl.O_RDONLY);
        asked.clear();
        assertEquals(Errno.EPERM, errno(() -> other.setFileFlags(others, before)));
        assertEquals("", requests());
        int directory = root.open(".", Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
        root.setFileFlags(directory, root.fileFlags(directory) | NODUMP);
        assertEquals(NODUMP, root.fileFlags(directory) & NODUMP);
    }

    private static boolean hasFlags(GuestProcess process, int fd) {
        try {
            process.fileFlags(fd);
            return true;
        } catch (ErrnoException _) {
            return false;
        }
    }

    /// fuse.h, FUSE_ALLOW_IDMAP: who asks is told only where something is made.
    ///
    /// Seen to catch: MKDIR as nobody (EOVERFLOW); a LOOKUP that tells.
    @Test
    void whoAsksIsToldOnlyWhereSomethingIsMade() throws Exception {
        GuestProcess user = user();
        asked.clear();

        user.mkdir("d", 0755);
        user.symlink("x", "d/l");
        user.mknod("d/f", Stat.S_IFIFO | 0600, 0);
        user.close(user.open("d/c", Fcntl.O_CREAT | Fcntl.O_WRONLY, 0600));
        user.close(user.open("d", Fcntl.O_TMPFILE | Fcntl.O_WRONLY, 0600));
        user.rename("d/c", "d/w", Fcntl.RENAME_WHITEOUT);
        user.link("d/w", "d/x");
        user.unlink("d/x");

        String told = asked.stream()
                .filter(request -> request.header().uid() == 1000)
                .map(request -> request.opcode().name())
                .collect(Collectors.joining(" "));
        assertEquals("MKDIR SYMLINK MKNOD CREATE TMPFILE RENAME2", told);
        String untold = asked.stream()
                .filter(request -> request.header().uid() == -1)
                .map(request -> request.opcode().name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
        assertEquals("FLUSH GETATTR LINK LOOKUP UNLINK", untold);
    }
}
