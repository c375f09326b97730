package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.struct.Attr;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// A guest that delays what programs write (fuse.h: FUSE_WRITEBACK_CACHE).
class WriteBackTest {

    private static final PassthroughOptions OPTIONS = PassthroughOptions.DEFAULT.with(Feature.WRITEBACK);

    @TempDir
    private Path share;

    @BeforeEach
    void share() throws Exception {
        Needs.root();
        Files.setAttribute(share, "unix:mode", 0755);
    }

    /// The requests of a Linux guest (6.1, seen on the wire), on a file of 1000:2000. Data comes
    /// when the file is closed, from nobody, and then its times. Where set-ID bits have to go, the
    /// write is not delayed. A `chown` to nobody says the time, and nothing else.
    ///
    /// Seen to catch: a write delayed that has to clear bits; no times after data that was written
    /// at once; CTIME left out of a chown.
    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', textBlock = """
            write          | 4777 | root      | OPEN, WRITE CACHE, SA MTIME FH CTIME
            write          | 4777 | stranger  | OPEN, SA, WRITE KILL, SA MTIME FH CTIME
            write          | 2767 | groupmate | OPEN, WRITE CACHE, SA MTIME FH CTIME
            append         | 0777 | stranger  | OPEN, WRITE CACHE, SA MTIME FH CTIME
            write O_DIRECT | 0777 | stranger  | OPEN, WRITE LOCKOWNER KILL, SA MTIME FH CTIME
            ftruncate      | 0777 | stranger  | OPEN, SA SIZE MTIME FH LOCKOWNER CTIME KILL
            chown nothing  | 6777 | owner     | SA CTIME
            """)
    void theRequestsAreThoseOfLinux(String deed, String mode, String who, String expected) throws Exception {
        new PrivilegedFile(Integer.parseInt(mode, 8), false).make(share);

        String sent = new SentRequests(share, OPTIONS, KernelProfile.LINUX_6_1).of(deed, Caller.named(who));

        assertEquals(expected, sent);
    }

    /// Until then the host has the old data and the guest's programs the new: its size, and what a
    /// short write has left of a page.
    ///
    /// Seen to catch: the server's size believed; a page sent without what was in it before; a page
    /// sent beyond the end of the file.
    @Test
    void theGuestKnowsBetterThanTheHostUntilThePagesGo() throws Exception {
        byte[] old = new byte[6000];
        Arrays.fill(old, (byte) 'o');
        Path file = Files.write(share.resolve("file"), old);
        try (PassthroughFs fileSystem = new PassthroughFs(Twins.SYS, share.toString(), OPTIONS);
                Machine machine = Machine.stepped(fileSystem, MachineOptions.DEFAULT)) {
            GuestProcess program = machine.rootProgram();
            int fd = program.open("/file", Fcntl.O_WRONLY);
            program.pwrite(fd, "new".getBytes(), 100);
            program.pwrite(fd, "new".getBytes(), 9000);
            Attr seen = program.stat("/file");
            assertEquals(9003, seen.size());
            assertArrayEquals(old, Files.readAllBytes(file));

            program.fsync(fd);

            byte[] expected = Arrays.copyOf(old, 9003);
            System.arraycopy("new".getBytes(), 0, expected, 100, 3);
            System.arraycopy("new".getBytes(), 0, expected, 9000, 3);
            assertArrayEquals(expected, Files.readAllBytes(file));
        }
    }
}
