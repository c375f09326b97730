package vitrine.conformance.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.HostKernel;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.process.ProgramMemory;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// Memory in which a program sees a file, and keeps its changes for itself.
class PrivateMappingTest {

    private static final int PAGE = 4096;

    /// A page is the file's until it is stored to, and then the program's own: the file hears of no
    /// store, and the program of no write behind it.
    ///
    /// Seen to catch: a load that does not look at its own pages.
    @Test
    void whatIsStoredInPrivateMemoryStaysThere(@TempDir Path share) throws Exception {
        Files.writeString(share.resolve("f"), "f".repeat(2 * PAGE));
        PassthroughFs real = new PassthroughFs(HostKernel.SYS, share.toString(), PassthroughOptions.DEFAULT);
        CountingServer server = new CountingServer(real);
        try (real;
                Machine machine = Machine.stepped(server, MachineOptions.DEFAULT)) {
            GuestProcess program = machine.rootProgram();
            int fd = program.open("/f", Fcntl.O_RDWR);
            ProgramMemory memory = program.mmap(fd, 0, 2 * PAGE, FileMapping.Use.KEEP);

            memory.store(10, "own".getBytes());

            assertEquals("fownf", new String(memory.load(9, 5)));
            assertEquals("fffff", new String(program.pread(fd, 5, 9)));
            program.pwrite(fd, "late".getBytes(), 8);
            program.pwrite(fd, "late".getBytes(), PAGE - 2);
            assertEquals("ffownf", new String(memory.load(8, 6)));
            assertEquals("ffte", new String(memory.load(PAGE - 2, 4)));
            server.taken();
            memory.msync();
            memory.close();
            assertEquals(List.of(), server.taken());
        }
    }
}
