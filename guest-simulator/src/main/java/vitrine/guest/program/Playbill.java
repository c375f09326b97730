package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import vitrine.dax.Window;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.guest.qemu.AtExit;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;

/// The server of many programs, one after the other: each mount, that is each INIT, is the next
/// one's [Stage].
///
/// Before the first there is a mount that nobody looks at: a guest has one from the start.
final class Playbill implements FileSystem, AutoCloseable {

    private static final Program NOTHING =
            new Program("nothing", "", "", Server.of(""), List.of(), Condition.ALWAYS, List.of());

    private final List<Program> programs;
    private final Path folder;
    private final List<Path> shares = new ArrayList<>();
    private final Syscalls sys;
    private final Window window;
    private final List<Stage> stages = new ArrayList<>();
    private final AtExit made;
    private volatile Stage stage;

    /// @param folder where the files of the programs go; of the host, and empty
    Playbill(List<Program> programs, Path folder, Syscalls sys, Window window) throws IOException {
        this.programs = programs;
        this.folder = folder;
        this.sys = sys;
        this.window = window;
        made = AtExit.undo(this::clear);
        shares.add(NOTHING.setUp(folder));
        for (Program program : programs) {
            shares.add(program.setUp(folder)); // now: a thread that serves may not do all that root may
        }
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        if (request instanceof SessionRequest.Init) {
            next();
        }
        return stage.answer(request);
    }

    private synchronized void next() throws ErrnoException {
        int turn = stages.size() <= programs.size() ? stages.size() : 0;
        stage = new Stage(turn == 0 ? NOTHING : programs.get(turn - 1), shares.get(turn), sys, window);
        stages.add(stage);
    }

    /// All that were performed.
    synchronized List<Performance> performances(Client client) {
        List<Performance> performances = new ArrayList<>();
        for (int turn = 1; turn <= programs.size() && turn < stages.size(); turn++) {
            performances.add(new Performance(
                    programs.get(turn - 1), client, stages.get(turn).seen()));
        }
        return performances;
    }

    @Override
    public synchronized void close() throws IOException {
        stages.forEach(Stage::close);
        made.close();
    }

    private void clear() throws IOException {
        for (Program program : programs) {
            program.clear(folder);
        }
    }
}
