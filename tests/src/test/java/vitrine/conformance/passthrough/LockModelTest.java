package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.LockRequest;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.LkOut;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.RangeLock;

/// Any locks of a few owners, held against a model that remembers each byte (fcntl(2)).
class LockModelTest {

    private static final int BYTES = 8; // the last one stands for all that follow
    private static final int OWNERS = 3; // numbered from 1, as are their processes

    record Step(int owner, int type, int start, int end) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> position = Arbitraries.integers().between(0, BYTES - 1);
        return Combinators.combine(
                        Arbitraries.integers().between(1, OWNERS),
                        Arbitraries.of(Fcntl.F_RDLCK, Fcntl.F_WRLCK, Fcntl.F_UNLCK),
                        position,
                        position)
                .as((owner, type, a, b) -> new Step(owner, type, Math.min(a, b), Math.max(a, b)))
                .list()
                .ofMaxSize(25);
    }

    /// Who may lock, and whom GETLK names, is what the model says, byte for byte.
    ///
    /// Caught in `HeldRanges`: an unlock in the middle that forgets the upper part; neighbours of
    /// different types made one; a lock that leaves in place what it covers.
    @Property(tries = 60)
    void locksAreAsTheModelHasThem(@ForAll("steps") List<Step> steps) throws Exception {
        Needs.root();
        Path directory = Files.createTempDirectory("locks");
        Path file = Files.writeString(directory.resolve("f"), "");
        int[][] model = new int[OWNERS + 1][BYTES];
        for (int[] bytes : model) {
            Arrays.fill(bytes, Fcntl.F_UNLCK);
        }

        try (Guest guest = new Guest(directory, PassthroughOptions.DEFAULT.with(Feature.POSIX_LOCKS))) {
            long node = guest.node("f");
            long fh = guest.open(node, Fcntl.O_RDWR);
            for (Step step : steps) {
                LkIn in = in(fh, step);
                int errno = guest.errno(new LockRequest.Setlk(guest.header(node), in));
                assertEquals(conflicts(model, step) ? Errno.EAGAIN : 0, errno, step.toString());
                if (errno == 0) {
                    Arrays.fill(model[step.owner()], step.start(), step.end() + 1, step.type());
                }
            }
            for (int position = 0; position < BYTES; position++) {
                Step probe = new Step(OWNERS + 1, Fcntl.F_WRLCK, position, position);
                FileLock found = guest.struct(LkOut.class, new LockRequest.Getlk(guest.header(node), in(fh, probe)))
                        .lk();
                assertNamed(model, position, found);
            }
        } finally {
            Files.delete(file);
            Files.delete(directory);
        }
    }

    private static LkIn in(long fh, Step step) {
        long end = step.end() == BYTES - 1 ? RangeLock.END_OF_FILE : step.end();
        return new LkIn(fh, step.owner(), new FileLock(step.start(), end, step.type(), step.owner()), 0);
    }

    private static boolean conflicts(int[][] model, Step step) {
        boolean conflict = false;
        for (int owner = 1; owner <= OWNERS; owner++) {
            for (int position = step.start(); owner != step.owner() && position <= step.end(); position++) {
                conflict |= inTheWay(model[owner][position], step.type());
            }
        }
        return conflict;
    }

    private static boolean inTheWay(int held, int wanted) {
        return held == Fcntl.F_WRLCK && wanted != Fcntl.F_UNLCK || held == Fcntl.F_RDLCK && wanted == Fcntl.F_WRLCK;
    }

    /// Several may hold it for reading; any of them will do.
    private static void assertNamed(int[][] model, int position, FileLock found) {
        int holder = found.pid();
        int held = Fcntl.F_UNLCK;
        for (int owner = 1; owner <= OWNERS; owner++) {
            held = model[owner][position] == Fcntl.F_UNLCK ? held : model[owner][position];
        }
        assertEquals(held, found.type(), "byte " + position);
        assertEquals(held, holder == 0 ? Fcntl.F_UNLCK : model[holder][position], "process " + holder);
    }
}
