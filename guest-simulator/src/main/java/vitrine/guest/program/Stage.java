package vitrine.guest.program;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import vitrine.dax.Window;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.OpenOut;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// The server of one program: agrees to what its [Server] says, and writes down which requests come
/// at which step.
///
/// Where a step ends says a mark: an ioctl(2) on the root directory, which the performing program
/// opens first of all. The handle that it has for that, and its requests, are not written down.
final class Stage implements FileSystem, AutoCloseable {

    /// The command of the ioctl that ends a step; its argument is the step's errno.
    static final int MARK = 'V' << 8 | 0x4d;

    private final Server server;
    private final PassthroughFs fileSystem;
    private final FileNames names = new FileNames();
    private final Notation notation = new Notation(names);
    private final List<Note> notes = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private boolean opened; // the root, by who performs
    private long marksHandle;

    /// The end of a step: its requests have smaller numbers than `unique`, unsigned.
    private record Mark(long unique, int errno) {}

    /// A request that came.
    private static final class Note {
        private final long unique;
        private final String request;
        private final boolean forget;
        private String error = "";

        Note(long unique, String request, boolean forget) {
            this.unique = unique;
            this.request = request;
            this.forget = forget;
        }

        boolean isBefore(Mark mark) {
            return Long.compareUnsigned(unique, mark.unique) < 0;
        }

        String text() {
            return error.isEmpty() ? request : request + " → " + error;
        }
    }

    /// @param share what [Program#setUp] has made
    /// @param window none, or one for files of this host
    Stage(Program program, Path share, Syscalls sys, Window window) throws ErrnoException {
        server = program.server();
        fileSystem = new PassthroughFs(sys, share.toString(), server.options(), window);
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        if (request instanceof FileRequest.Ioctl ioctl && ioctl.in().cmd() == MARK) {
            mark(new Mark(request.unique(), (int) ioctl.in().arg()));
            return new Reply.Error(Errno.ENOTTY);
        }
        if (isOfMarks(request)) {
            Reply reply = fileSystem.answer(request);
            keepHandle(reply);
            return reply;
        }
        Note note = note(request);
        try {
            Reply reply = played(request);
            learn(request, reply);
            return reply;
        } catch (ErrnoException e) {
            note.error = Errno.name(e.errno());
            throw e;
        }
    }

    private Reply played(FuseRequest request) throws ErrnoException {
        if (request.opcode() == null || server.unknown().contains(request.opcode())) {
            throw new ErrnoException("not known to this server", Errno.ENOSYS);
        }
        Reply reply = fileSystem.answer(request);
        return request instanceof SessionRequest.Init init && reply instanceof Reply.Struct(InitOut agreed)
                ? new Reply.Struct(server.agree(init.in().allFlags(), agreed))
                : reply;
    }

    private synchronized boolean isOfMarks(FuseRequest request) {
        return switch (request) {
            case DirectoryRequest.Opendir open -> !opened && open.nodeid() == 1;
            case DirectoryRequest.Releasedir release -> opened && release.in().fh() == marksHandle;
            default -> false;
        };
    }

    private synchronized void keepHandle(Reply reply) {
        if (reply instanceof Reply.Struct(OpenOut out)) {
            opened = true;
            marksHandle = out.fh();
        }
    }

    private synchronized Note note(FuseRequest request) {
        List<Note> came = switch (request) {
            case InodeRequest.Forget forget ->
                List.of(forget(request, forget.nodeid(), forget.in().nlookup()));
            case InodeRequest.BatchForget batch ->
                batch.forgets().stream()
                        .map(one -> forget(request, one.nodeid(), one.nlookup()))
                        .toList();
            default -> List.of(new Note(request.unique(), notation.of(request), false));
        };
        notes.addAll(came);
        return came.getFirst();
    }

    private Note forget(FuseRequest request, long nodeid, long lookups) {
        return new Note(request.unique(), notation.forget(nodeid, lookups), true);
    }

    private synchronized void learn(FuseRequest request, Reply reply) {
        names.learn(request, reply);
    }

    /// Ends a step of a guest that has nothing under way.
    ///
    /// @param errno what the program got
    synchronized void mark(int errno) {
        long latest = notes.isEmpty() ? 0 : notes.getLast().unique;
        mark(new Mark(latest + 1, errno));
    }

    private synchronized void mark(Mark mark) {
        marks.add(mark);
    }

    /// All steps, from the mount to the unmount.
    ///
    /// To which of them a request belongs says its number, for FORGET has a queue of its own, and
    /// may come late. So it stands last in its step: its place among the others is chance.
    synchronized List<Seen> seen() {
        List<Mark> ends = new ArrayList<>(marks);
        ends.add(new Mark(-1, 0));
        List<Note> left = new ArrayList<>(notes);
        List<Seen> seen = new ArrayList<>();
        for (Mark end : ends) {
            List<Note> step = left.stream().filter(note -> note.isBefore(end)).toList();
            left.removeAll(step);
            seen.add(new Seen(
                    end.errno == 0 ? "" : Errno.name(end.errno),
                    Stream.concat(
                                    step.stream().filter(note -> !note.forget).map(Note::text),
                                    step.stream()
                                            .filter(note -> note.forget)
                                            .map(Note::text)
                                            .sorted())
                            .toList()));
        }
        return seen;
    }

    @Override
    public void close() {
        fileSystem.close();
    }
}
