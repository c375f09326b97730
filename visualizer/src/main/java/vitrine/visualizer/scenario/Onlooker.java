package vitrine.visualizer.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import vitrine.trace.RawBytes;
import vitrine.trace.Trace;
import vitrine.trace.TraceEvent;
import vitrine.visualizer.timeline.HostFiles;
import vitrine.visualizer.timeline.HostFiles.Content;
import vitrine.visualizer.timeline.HostFiles.State;

/// Looks at the share on the host after each event, past guest and daemon, and notes when its files
/// have become others: what a guest stores in its DAX window is no event.
final class Onlooker implements Trace {

    private static final int KEPT = 512; // bytes of a file
    private static final long LONGEST = 1 << 20; // of a longer one only the size is looked at

    private final Path share;
    private final Trace trace;
    private final List<State> states = new ArrayList<>();
    private int position;

    /// @param trace where the events go
    Onlooker(Path share, Trace trace) {
        this.share = share;
        this.trace = trace;
    }

    @Override
    public void add(TraceEvent event) {
        trace.add(event);
        position++;
        if (!(event instanceof TraceEvent.RingAccess)) {
            look();
        }
    }

    /// Counts from here.
    void begin() {
        position = 0;
        states.clear();
        look();
    }

    /// All that was seen.
    HostFiles seen() {
        return new HostFiles(states);
    }

    private void look() {
        TreeMap<String, Content> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(share)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.put(share.relativize(file).toString(), content(file));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalStateException("the share cannot be looked at: " + e.getMessage(), e);
        }
        if (states.isEmpty() || !states.getLast().files().equals(files)) {
            states.add(new State(position, files));
        }
    }

    private static Content content(Path file) throws IOException {
        long size = Files.size(file);
        byte[] bytes = size > LONGEST ? new byte[0] : Files.readAllBytes(file);
        int kept = Math.min(KEPT, bytes.length);
        byte[] rest = Arrays.copyOfRange(bytes, kept, bytes.length);
        return new Content(size, RawBytes.of(Arrays.copyOf(bytes, kept)), Arrays.hashCode(rest));
    }
}
