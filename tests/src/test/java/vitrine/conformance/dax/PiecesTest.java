package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import vitrine.dax.HostFile;
import vitrine.dax.Window;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;

/// Which orders the front end gets, and when the guest is answered.
class PiecesTest {

    private static final long RANGE = 2L << 20;
    private static final long SIZE = 4 * RANGE;
    private static final long READ = 2;
    private static final long WRITE = 1;
    private static final HostFile FILE = new HostFile(1, 100);
    private static final HostFile OTHER = new HostFile(1, 101);

    private final ObedientMapper frontend = new ObedientMapper();
    private final Window window = new Window(SYS, SIZE, SYS::dup);

    @BeforeEach
    void attach() {
        window.use(frontend);
    }

    private static SetupMappingIn in(long fileOffset, long length, long flags, long offset) {
        return new SetupMappingIn(-1, fileOffset, length, flags, offset);
    }

    private Reply setup(HostFile file, long fileOffset, long offset) throws ErrnoException {
        return window.setup(in(fileOffset, RANGE, READ, offset), file, PiecesTest::open);
    }

    private static Fd open(int access) throws ErrnoException {
        return SYS.memfdCreate("file");
    }

    private static int errnoOf(Reply.Attempt attempt) {
        return assertThrows(ErrnoException.class, attempt::answer).errno();
    }

    private Reply remove(long... offsets) throws ErrnoException {
        List<RemoveMappingOne> ranges = new ArrayList<>();
        for (long offset : offsets) {
            ranges.add(new RemoveMappingOne(offset, RANGE));
        }
        return window.remove(ranges);
    }

    /// Linux asks for a range once more when a program wants to write that so far only read. It is
    /// writable from the start: nothing is to be done.
    ///
    /// Seen to catch: Window.setup that does not look whether the piece shows what is wanted.
    @Test
    void aRangeIsMappedOnceWhateverItIsFor() throws ErrnoException {
        assertSame(Reply.EMPTY, setup(FILE, 0, RANGE));
        assertSame(Reply.EMPTY, window.setup(in(0, RANGE, READ | WRITE, RANGE), FILE, PiecesTest::open));

        assertEquals(List.of("map 0x200000+0x200000 from 0x0"), frontend.orders);
        assertEquals(1, window.pieces());
    }

    /// fuse.h, FUSE_SETUPMAPPING: what was there gives way. QEMU refuses to map over something.
    ///
    /// Seen to catch: Piece.shows that compares no file; no file offset.
    @Test
    void anotherPieceTakesThePlaceOfTheOneThatIsThere() throws ErrnoException {
        setup(FILE, 0, 0);
        setup(OTHER, 0, 0);
        setup(OTHER, RANGE, 0);

        assertEquals(
                List.of(
                        "map 0x0+0x200000 from 0x0",
                        "unmap 0x0+0x200000",
                        "map 0x0+0x200000 from 0x0",
                        "unmap 0x0+0x200000",
                        "map 0x0+0x200000 from 0x200000"),
                frontend.orders);
    }

    /// The front end is told what it knows: the whole of one mapping, once.
    ///
    /// Seen to catch: Window.remove that takes pieces by their offset alone.
    @Test
    void whatIsRemovedIsUnmappedAndWhatIsNoPieceIsRefused() throws ErrnoException {
        setup(FILE, 0, 0);
        setup(FILE, RANGE, RANGE);
        frontend.orders.clear();

        assertEquals(Errno.EINVAL, errnoOf(() -> window.remove(List.of(new RemoveMappingOne(0, 4096)))));
        assertEquals(Errno.EINVAL, errnoOf(() -> remove(2 * RANGE)));
        assertEquals(Errno.EINVAL, errnoOf(() -> remove(0, 0, 3 * RANGE)));
        assertSame(Reply.EMPTY, remove(RANGE));

        assertEquals(List.of("unmap 0x0+0x200000", "unmap 0x200000+0x200000"), frontend.orders);
        assertEquals(0, window.pieces());
    }

    static Stream<SetupMappingIn> impossible() {
        return Stream.of(
                in(0, RANGE, READ, SIZE),
                in(0, RANGE, READ, SIZE - 4096),
                in(0, 2 * SIZE, READ, 0),
                in(0, RANGE, READ, -RANGE),
                in(0, 0, READ, RANGE),
                in(0, -4096, READ, RANGE),
                in(0, Long.MIN_VALUE, READ, 0),
                in(-4096, RANGE, READ, 0),
                in(Long.MAX_VALUE - 4095, 4096, READ, 0),
                in(1L << 62, 4096, READ, 0),
                in(1, RANGE, READ, 0),
                in(0, RANGE - 1, READ, 0),
                in(0, RANGE, READ, 512),
                in(0, RANGE, READ | 4, 0),
                in(4096, RANGE, READ, 4096)); // across the one that is there
    }

    /// Each number is the guest's claim.
    ///
    /// Seen to catch: each of the conditions of Piece.of left out, and Window.put without overlaps.
    @ParameterizedTest
    @MethodSource("impossible")
    void whatCannotBeIsRefusedBeforeAnybodyIsAsked(SetupMappingIn in) throws ErrnoException {
        setup(FILE, 0, 0);

        assertEquals(Errno.EINVAL, errnoOf(() -> window.setup(in, FILE, PiecesTest::open)));

        assertEquals(1, frontend.orders.size());
    }

    /// More than some 510 regions are QEMU's end. A guest that cuts its window into pages could
    /// have 2048 here.
    ///
    /// Seen to catch: Window.put without MOST_PIECES.
    @Test
    void thereAreNeverMorePiecesThanQemuSurvives() throws ErrnoException {
        for (int i = 0; i < 256; i++) {
            assertSame(Reply.EMPTY, window.setup(in(0, 4096, READ, 4096L * i), FILE, PiecesTest::open));
        }
        SetupMappingIn oneMore = in(0, 4096, READ, 4096L * 256);

        assertEquals(Errno.ENOSPC, errnoOf(() -> window.setup(oneMore, FILE, PiecesTest::open)));

        window.remove(List.of(new RemoveMappingOne(0, 4096)));
        assertSame(Reply.EMPTY, window.setup(oneMore, FILE, PiecesTest::open));
    }

    /// Nobody waits: the request is tried again, and answered when the front end is done.
    ///
    /// Seen to catch: Window.setup answering when the order is given.
    @Test
    void aRequestIsAnsweredWhenTheFrontEndIsDone() throws ErrnoException {
        frontend.atOnce = false;
        Reply.NotYet first = assertInstanceOf(Reply.NotYet.class, setup(FILE, 0, 0));
        Reply.NotYet second = assertInstanceOf(Reply.NotYet.class, setup(FILE, 0, 0), "the same from another queue");
        assertInstanceOf(Reply.NotYet.class, first.attempt().answer());

        frontend.obey();

        assertSame(Reply.EMPTY, first.attempt().answer());
        assertSame(Reply.EMPTY, second.attempt().answer());
        assertEquals(1, frontend.orders.size());

        Reply.NotYet removed = assertInstanceOf(Reply.NotYet.class, remove(0));
        Reply.NotYet again = assertInstanceOf(Reply.NotYet.class, setup(OTHER, 0, 0), "where something leaves");
        frontend.obey();
        assertSame(Reply.EMPTY, removed.attempt().answer());
        assertInstanceOf(Reply.NotYet.class, again.attempt().answer());
        frontend.obey();
        assertSame(Reply.EMPTY, again.attempt().answer());
    }

    /// A refusal is the program's error, and the place is free for another try.
    ///
    /// Seen to catch: Window.at that keeps a piece whose order failed.
    @Test
    void aRefusalIsAnErrorAndNoMore() throws ErrnoException {
        frontend.errno = Errno.EIO;
        assertEquals(Errno.EIO, errnoOf(() -> setup(FILE, 0, 0)));
        assertEquals(0, window.pieces());

        frontend.errno = 0;
        assertSame(Reply.EMPTY, setup(FILE, 0, 0));
    }

    /// Rings that stop take an order back that was not sent: what was to leave is still there.
    ///
    /// Seen to catch: Window.at that removes whatever was to leave.
    @Test
    void whatCouldNotBeTakenAwayStays() throws ErrnoException {
        setup(FILE, 0, 0);
        frontend.atOnce = false;
        Reply.NotYet removed = assertInstanceOf(Reply.NotYet.class, remove(0));
        frontend.errno = Errno.EAGAIN;
        frontend.obey();
        frontend.errno = 0;
        frontend.atOnce = true;

        assertEquals(1, window.pieces());
        assertSame(Reply.EMPTY, setup(FILE, 0, 0));
        assertEquals(List.of("map 0x0+0x200000 from 0x0", "unmap 0x0+0x200000"), frontend.orders);

        assertSame(Reply.EMPTY, removed.attempt().answer(), "if anybody still asks");
        assertEquals(0, window.pieces());
    }

    /// DESTROY empties the window, INIT finds it empty after a reset, which begins with queues that
    /// stop: the front end drops everything then.
    ///
    /// Seen to catch: Window.empty that answers at once; forget that unmaps.
    @Test
    void theWindowIsEmptiedAtTheEndAndForgottenAtTheStart() throws ErrnoException {
        setup(FILE, 0, 0);
        setup(FILE, RANGE, RANGE);
        frontend.orders.clear();
        frontend.atOnce = false;

        Reply.NotYet destroy = assertInstanceOf(Reply.NotYet.class, window.empty());
        frontend.obey();
        assertSame(Reply.EMPTY, destroy.attempt().answer());
        assertEquals(2, frontend.orders.size());
        assertEquals(0, window.pieces());

        frontend.atOnce = true;
        setup(FILE, 0, 0);
        frontend.orders.clear();
        window.queueStopped();
        window.begin();
        assertEquals(0, window.pieces());
        assertEquals(List.of(), frontend.orders);
    }

    /// A guest may say INIT as often as it likes. Without a reset the front end has not taken
    /// anything away, so nothing is forgotten: else a guest could have QEMU map more pieces than it
    /// bears.
    ///
    /// Caught: `begin` that always forgets (as many pieces more with each INIT).
    @Test
    void anInitWithoutAResetForgetsNothing() throws ErrnoException {
        setup(FILE, 0, 0);
        window.queueStopped();
        setup(FILE, RANGE, RANGE); // the window is in use again
        window.begin();
        assertEquals(2, window.pieces());

        frontend.orders.clear();
        setup(OTHER, 0, 0);
        assertEquals(2, window.pieces());
        assertEquals(2, frontend.orders.size()); // what was there is taken out
    }

    /// A guest on a device without a window, or whose front end has left.
    @Test
    void withoutAFrontEndThereIsNoWindow() {
        window.use(null);

        assertFalse(window.isThere());
        assertEquals(Errno.ENOSYS, errnoOf(() -> setup(FILE, 0, 0)));
        assertEquals(Errno.ENOSYS, errnoOf(() -> remove(0)));
        assertEquals(Errno.ENOSYS, errnoOf(() -> Window.none().setup(in(0, RANGE, READ, 0), FILE, PiecesTest::open)));
        assertTrue(Window.none().size() == 0);
    }
}
