package vitrine.guest.hostile;

import static vitrine.guest.hostile.Lie.each;
import static vitrine.guest.hostile.Session.ROOT;

import java.util.List;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InterruptIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.wire.Buffers;

/// Requests that are put together rightly, and ask for what there is not.
final class NumberLies {

    private static final long NOBODY = 4711; // no nodeid and no handle that was told

    private NumberLies() {}

    private static Lie lie(String claim, String right, Lie.Telling telling) {
        return new Lie("Numbers", claim, right, telling);
    }

    static List<Lie> all() {
        return List.of(
                lie(
                        "READ at an offset that no file has",
                        "EINVAL",
                        each(
                                List.of(-1L, Long.MIN_VALUE),
                                (session, offset) -> session.ask(read(session, offset, 10)))),
                lie(
                        "WRITE at an offset that no file has",
                        "EINVAL",
                        each(List.of(-1L, Long.MIN_VALUE), (session, offset) -> session.ask(write(session, offset)))),
                lie("READ of 4 GiB into little room", Outcome.ANSWERED, session -> session.ask(read(session, 0, -1))),
                lie(
                        "a nodeid that nobody was told",
                        "ESTALE",
                        each(List.of(0L, NOBODY, -1L), (session, nodeid) -> session.ask(getattr(session, nodeid)))),
                lie(
                        "a handle that nobody was given",
                        "EBADF",
                        each(List.of(NOBODY, -1L), (session, fh) -> session.ask(release(session, fh)))),
                lie(
                        "a handle of another file",
                        "EBADF",
                        session -> session.ask(
                                new FileRequest.Read(session.header(ROOT), new ReadIn(session.fh(), 0, 10, 0, 0, 0)))),
                lie(
                        "FORGET of the root, as often as can be",
                        Outcome.EMPTY,
                        each(List.of(1L, 1L << 40, -1L), (session, count) -> session.ask(forget(session, count)))),
                lie(
                        "INTERRUPT of a request that there is not",
                        Outcome.EMPTY,
                        session ->
                                session.ask(new SessionRequest.Interrupt(session.header(0), new InterruptIn(NOBODY)))));
    }

    private static FuseRequest read(Session session, long offset, int size) {
        return new FileRequest.Read(session.header(session.file()), new ReadIn(session.fh(), offset, size, 0, 0, 0));
    }

    private static FuseRequest write(Session session, long offset) {
        WriteIn in = new WriteIn(session.fh(), offset, 10, 0, 0, 0);
        return new FileRequest.Write(session.header(session.file()), in, Buffers.ofBytes(new byte[10]));
    }

    private static FuseRequest getattr(Session session, long nodeid) {
        return new InodeRequest.Getattr(session.header(nodeid), new GetattrIn(0, 0));
    }

    private static FuseRequest release(Session session, long fh) {
        return new FileRequest.Release(session.header(session.file()), new ReleaseIn(fh, 0, 0, 0));
    }

    private static FuseRequest forget(Session session, long count) {
        return new InodeRequest.Forget(session.header(ROOT), new ForgetIn(count));
    }
}
