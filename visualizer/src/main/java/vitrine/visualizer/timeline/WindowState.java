package vitrine.visualizer.timeline;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which piece of which file lies where in the DAX window, folded from SETUPMAPPING and
/// REMOVEMAPPING.
public final class WindowState {

    /// A piece of a file in the window.
    ///
    /// @param window where it begins in the window
    /// @param offset where it begins in the file
    /// @param writable whether the guest may store
    /// @param event the reply by which it is there
    public record Piece(long window, long length, long nodeid, long offset, boolean writable, int event) {}

    private static final long WRITE = 1; // FUSE_SETUPMAPPING_FLAG_WRITE

    private final TreeMap<Long, Piece> pieces;

    WindowState() {
        this(new TreeMap<>());
    }

    private WindowState(TreeMap<Long, Piece> pieces) {
        this.pieces = pieces;
    }

    WindowState copy() {
        return new WindowState(new TreeMap<>(pieces));
    }

    void apply(Run run, int n) {
        if (run.kind(n) != Kind.REPLY_GIVEN || run.error(n) != 0) {
            return;
        }
        String opcode = run.stories().of(n).map(Story::opcode).orElse("");
        if (opcode.equals("SETUPMAPPING") || opcode.equals("REMOVEMAPPING")) {
            Optional<Message> request = Message.requestOf(run, n);
            request.ifPresent(message -> change(message, n));
        } else if (opcode.equals("DESTROY")) {
            pieces.clear();
        }
    }

    private void change(Message request, int n) {
        long at = request.number("moffset").orElse(0);
        long length = request.number("len").orElse(0);
        if (request.name().equals("SETUPMAPPING")) {
            boolean writable = request.number("flags").orElse(0) % 2 == WRITE
                    || request.text("flags").orElse("").contains("WRITE");
            long offset = request.number("foffset").orElse(0);
            pieces.put(at, new Piece(at, length, request.sender().nodeid(), offset, writable, n));
        } else {
            pieces.subMap(at, Math.max(at, at + length)).clear();
        }
    }

    /// The pieces by where they begin in the window.
    public SortedMap<Long, Piece> pieces() {
        return Collections.unmodifiableSortedMap(pieces);
    }

    @Override
    public String toString() {
        return pieces.toString();
    }
}
