package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

/// The server of one program: makes its files, agrees to what its [Server] says, and writes down
/// which requests come at which step.
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
    private final List<Seen> seen = new ArrayList<>();
    private List<Note> notes = new ArrayList<>();
    private boolean opened; // the root, by who performs
    private long marksHandle;

    /// A request of the step that goes on.
    private static final class Note {
        private final String request;
        private final boolean ownQueue;
        private String error = "";

        Note(String request, boolean ownQueue) {
            this.request = request;
            this.ownQueue = ownQueue;
        }

        String text() {
            return error.isEmpty() ? request : request + " → " + error;
        }
    }

    /// Sets a program up.
    ///
    /// @param folder an empty folder of the host
    Stage(Program program, Path folder, Syscalls sys) throws IOException, ErrnoException {
        server = program.server();
        for (GivenFile file : program.given()) {
            file.make(folder);
        }
        fileSystem = new PassthroughFs(sys, folder.toString(), server.options());
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        if (request instanceof FileRequest.Ioctl ioctl && ioctl.in().cmd() == MARK) {
            mark((int) ioctl.in().arg());
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
        Note first = null;
        List<String> texts = switch (request) {
            case InodeRequest.Forget forget ->
                List.of(notation.forget(forget.nodeid(), forget.in().nlookup()));
            case InodeRequest.BatchForget batch ->
                batch.forgets().stream()
                        .map(one -> notation.forget(one.nodeid(), one.nlookup()))
                        .toList();
            default -> List.of(notation.of(request));
        };
        for (String text : texts) {
            Note note = new Note(text, text.startsWith("FORGET"));
            notes.add(note);
            first = first == null ? note : first;
        }
        return first == null ? new Note("", false) : first;
    }

    private synchronized void learn(FuseRequest request, Reply reply) {
        names.learn(request, reply);
    }

    /// Ends a step, of which the first is the mount.
    ///
    /// @param errno what the program got
    synchronized void mark(int errno) {
        List<String> requests = new ArrayList<>();
        notes.stream().filter(note -> !note.ownQueue).map(Note::text).forEach(requests::add);
        notes.stream()
                .filter(note -> note.ownQueue)
                .map(Note::text)
                .sorted(Comparator.naturalOrder())
                .forEach(requests::add);
        seen.add(new Seen(errno == 0 ? "" : Errno.name(errno), requests));
        notes = new ArrayList<>();
    }

    /// All steps, from the mount to the unmount.
    List<Seen> seen() {
        mark(0);
        return List.copyOf(seen);
    }

    @Override
    public void close() {
        fileSystem.close();
    }
}
