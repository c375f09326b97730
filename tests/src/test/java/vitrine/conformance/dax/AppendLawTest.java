package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Opcode;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.posix.Fcntl;

/// What appends to a file in the window cost, whatever their number and size.
class AppendLawTest {

    private static EndlessHost host;

    @BeforeContainer
    static void mount() {
        host = EndlessHost.needed();
    }

    @AfterContainer
    static void unmount() {
        if (host != null) {
            host.close();
        }
    }

    /// N appends are N WRITE; for a guest that makes the file longer first, N FALLOCATE or N
    /// SETATTR, and a SETUPMAPPING for each 2 MiB that were begun. The file has all bytes.
    ///
    /// Seen to catch: a strategy taken for another.
    @Property(tries = 8)
    void appendsCostOneRequestEachAndTheFirstWaysAMappingForEachRange(
            @ForAll ExtendingWrite strategy,
            @ForAll @IntRange(min = 1, max = 12) int times,
            @ForAll @IntRange(min = 1, max = 900_000) int size)
            throws Exception {
        Path share = Files.createTempDirectory("laws");
        Path file = Files.createFile(share.resolve("f"));
        MachineOptions options = MachineOptions.DEFAULT
                .withQueueSize(1024)
                .withDax(DaxMode.ALWAYS)
                .withExtendingWrite(strategy);
        try (DaxGuest guest = new DaxGuest(DaxGuest.Share.of(host, share, 8), options, Machine::stepped)) {
            int fd = guest.program.open("/f", Fcntl.O_RDWR | Fcntl.O_APPEND);
            guest.asked.clear();

            for (int time = 0; time < times; time++) {
                guest.program.write(fd, new byte[size]);
            }

            Map<Opcode, Integer> expected = new TreeMap<>();
            Opcode each = each(strategy);
            expected.put(each, times);
            if (each != Opcode.WRITE) {
                long bytes = (long) times * size;
                expected.put(Opcode.SETUPMAPPING, (int) ((bytes + DaxGuest.RANGE - 1) / DaxGuest.RANGE));
            }
            assertEquals(expected, counted(guest));
            assertEquals((long) times * size, Files.size(file));
        } finally {
            Files.delete(file);
            Files.delete(share);
        }
    }

    private static Opcode each(ExtendingWrite strategy) {
        return switch (strategy) {
            case WRITE, SPLIT -> Opcode.WRITE;
            case FALLOCATE_FIRST -> Opcode.FALLOCATE;
            case TRUNCATE_FIRST -> Opcode.SETATTR;
        };
    }

    private static Map<Opcode, Integer> counted(DaxGuest guest) {
        Map<Opcode, Integer> counts = new TreeMap<>();
        for (FuseRequest request : guest.asked) {
            boolean changes = request instanceof FileRequest || request instanceof InodeRequest.Setattr;
            if (changes || request.opcode() == Opcode.SETUPMAPPING) {
                counts.merge(request.opcode(), 1, Integer::sum);
            }
        }
        return counts;
    }
}
