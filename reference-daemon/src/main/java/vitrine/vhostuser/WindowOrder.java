package vitrine.vhostuser;

import java.util.function.Consumer;
import vitrine.memory.GuestMemory.Region;
import vitrine.memory.Mapper;
import vitrine.posix.FileStatus;
import vitrine.vhostuser.message.BackendMessage;

/// What the front end was told to do with the window. The file of a mapping is closed when the
/// message is out.
///
/// Guarded by the [FrontendMapper], but for what others ask.
final class WindowOrder implements Mapper.Change {

    final BackendMessage message;
    final FileStatus file; // null: nothing is mapped
    boolean seen; // the memory message has come, and is being obeyed
    boolean announced; // and the front end knows that it was
    boolean answered;
    long answeredAt; // System.nanoTime

    private final Consumer<WindowOrder> asker;
    private volatile boolean done;
    private volatile int errno;

    /// @param asker hears of it each time somebody asks in vain whether the order is done
    WindowOrder(BackendMessage message, FileStatus file, Consumer<WindowOrder> asker) {
        this.message = message;
        this.file = file;
        this.asker = asker;
    }

    @Override
    public boolean isDone() {
        if (!done) {
            asker.accept(this);
        }
        return done;
    }

    @Override
    public int errno() {
        return errno;
    }

    boolean isOpen() {
        return !done;
    }

    void end(int result) {
        errno = result;
        done = true;
    }

    /// Whether it is the mapping that a region tells of.
    boolean shows(FileStatus other, Region region) {
        return file != null
                && file.ino() == other.ino()
                && file.dev() == other.dev()
                && message.piece().fileOffset() == region.fileOffset()
                && message.piece().length() == region.size();
    }
}
