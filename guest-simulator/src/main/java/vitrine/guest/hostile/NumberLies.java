package vitrine.guest.hostile;

import static vitrine.guest.hostile.Lie.each;
import static vitrine.guest.hostile.Session.ROOT;

import java.util.List;
import java.util.stream.Stream;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InterruptIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.frontend.FrontendException;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;

/// Requests that are put together rightly, and ask for what there is not.
final class NumberLies {

    private static final long NOBODY = 4711; // no nodeid and no handle that was told

    private NumberLies() {}

    private static Lie lie(String claim, String right, Lie.Telling telling) {
        return new Lie("Numbers", claim, right, telling);
    }

    static List<Lie> all() {
        return Stream.of(offsets(), identities(), lives()).flatMap(List::stream).toList();
    }

    private static List<Lie> offsets() {
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
                lie(
                        "such an offset in any other request",
                        Outcome.REFUSED,
                        each(
                                List.of(-1L, Long.MIN_VALUE),
                                (session, offset) -> refused(session, others(session, offset)))),
                lie("an offset and a size that wrap", Outcome.REFUSED, session -> refused(session, wrapping(session))),
                lie("READ of 4 GiB into little room", Outcome.ANSWERED, session -> session.ask(read(session, 0, -1))),
                lie(
                        "SETUPMAPPING where there is no window",
                        "ENOSYS",
                        each(List.of(0L, 1L << 62, -1L), (session, at) -> session.ask(mapping(session, at)))));
    }

    private static List<Lie> identities() {
        return List.of(
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
                                new FileRequest.Read(session.header(ROOT), new ReadIn(session.fh(), 0, 10, 0, 0, 0)))));
    }

    private static List<Lie> lives() {
        return List.of(
                lie(
                        "FORGET of the root, as often as can be",
                        Outcome.EMPTY,
                        each(
                                List.of(1L, 1L << 40, -1L),
                                (session, count) -> session.ask(forget(session, ROOT, count)))),
                lie(
                        "BATCH_FORGET of the root, likewise",
                        Outcome.EMPTY,
                        each(List.of(1L, -1L), (session, count) -> session.ask(batchForget(session, count)))),
                lie(
                        "FORGET of a file, more than it was looked up",
                        "ESTALE, comes back empty",
                        each(List.of(2L, 1L << 40, -1L), NumberLies::forgetOther)),
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

    private static Outcome refused(Session session, Stream<FuseRequest> requests) {
        return Outcome.ofAll(requests.map(session::ask).map(Outcome::orAnyErrno));
    }

    private static Stream<FuseRequest> others(Session session, long offset) {
        long file = session.file();
        long fh = session.fh();
        return Stream.of(
                new FileRequest.Lseek(session.header(file), new LseekIn(fh, offset, Fcntl.SEEK_DATA)),
                new FileRequest.Fallocate(session.header(file), new FallocateIn(fh, offset, 10, 0)),
                new FileRequest.Fallocate(session.header(file), new FallocateIn(fh, 0, offset, 0)),
                copy(session, offset, 2000, 10),
                copy(session, 0, offset, 10),
                truncate(session, offset));
    }

    private static Stream<FuseRequest> wrapping(Session session) {
        long last = Long.MAX_VALUE;
        FallocateIn allocated = new FallocateIn(session.fh(), last, last, 0);
        return Stream.of(
                write(session, last - 5),
                new FileRequest.Fallocate(session.header(session.file()), allocated),
                copy(session, 0, last - 5, 10));
    }

    private static FuseRequest copy(Session session, long from, long to, long length) {
        CopyFileRangeIn in = new CopyFileRangeIn(session.fh(), from, session.file(), session.fh(), to, length, 0);
        return new FileRequest.CopyFileRange(session.header(session.file()), in);
    }

    private static FuseRequest truncate(Session session, long size) {
        SetattrIn in = new SetattrIn(Flag.word32(SetattrFlag.SIZE), 0, size, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        return new InodeRequest.Setattr(session.header(session.file()), in);
    }

    private static FuseRequest mapping(Session session, long offset) {
        SetupMappingIn in = new SetupMappingIn(session.fh(), offset, offset, 0, offset);
        return new DaxRequest.SetupMapping(session.header(session.file()), in);
    }

    private static FuseRequest getattr(Session session, long nodeid) {
        return new InodeRequest.Getattr(session.header(nodeid), new GetattrIn(0, 0));
    }

    private static FuseRequest release(Session session, long fh) {
        return new FileRequest.Release(session.header(session.file()), new ReleaseIn(fh, 0, 0, 0));
    }

    private static FuseRequest forget(Session session, long nodeid, long count) {
        return new InodeRequest.Forget(session.header(nodeid), new ForgetIn(count));
    }

    private static FuseRequest batchForget(Session session, long count) {
        return new InodeRequest.BatchForget(session.header(0), List.of(new ForgetOne(ROOT, count)));
    }

    private static Outcome forgetOther(Session session, long count) {
        try {
            long other = session.make().nodeid();
            return Outcome.ofAll(Stream.of(forget(session, other, count), getattr(session, other))
                    .map(session::ask));
        } catch (FrontendException _) {
            return Outcome.SILENT;
        }
    }
}
