package vitrine.visualizer.timeline;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import vitrine.trace.TraceEvent;

/// Which pages of which file lie in the guest's page cache, as Linux does it: what READ brought and
/// WRITE took along is there, until the file is opened anew without FOPEN_KEEP_CACHE, or turns out
/// to be another one (AUTO_INVAL_DATA).
public final class CachedPages {

    private static final long PAGE = 4096;
    private static final int MOST_RANGES = 1000; // of a file; a capture may claim what it likes

    /// The pages of a file.
    ///
    /// @param ranges by their first pages, where they end: the page after the last
    /// @param event the reply by which they are what they are
    public record Pages(SortedMap<Long, Long> ranges, int event) {

        /// How many.
        public long count() {
            return ranges.entrySet().stream()
                    .mapToLong(range -> range.getValue() - range.getKey())
                    .sum();
        }
    }

    private final TreeMap<Long, Pages> files;
    private final Map<Long, String> versions; // by nodeid: size and time of the last attributes
    private final Set<Long> direct; // file handles that pass the cache by
    private boolean invalidates;

    CachedPages() {
        this(new TreeMap<>(), new HashMap<>(), new HashSet<>());
    }

    private CachedPages(TreeMap<Long, Pages> files, Map<Long, String> versions, Set<Long> direct) {
        this.files = files;
        this.versions = versions;
        this.direct = direct;
    }

    CachedPages copy() {
        CachedPages copy = new CachedPages(new TreeMap<>(files), new HashMap<>(versions), new HashSet<>(direct));
        copy.invalidates = invalidates;
        return copy;
    }

    int entries() {
        return files.size() + versions.size() + direct.size();
    }

    /// By nodeid; files of which nothing is cached are not in it.
    public SortedMap<Long, Pages> files() {
        return Collections.unmodifiableSortedMap(files);
    }

    /// A request that was answered without an error.
    void answered(Run run, Message request, Message reply) {
        long node = request.sender().nodeid();
        attributes(node, request, reply);
        switch (request.name()) {
            case "INIT" -> invalidates = reply.text("flags").orElse("").contains("AUTO_INVAL_DATA");
            case "OPEN", "CREATE" -> opened(reply.number("nodeid").orElse(node), reply);
            case "READ" -> {
                boolean gave = run.event(reply.event()) instanceof TraceEvent.ReplyGiven given && given.payload() > 0;
                if (gave && !passesBy(request)) {
                    long length = ((TraceEvent.ReplyGiven) run.event(reply.event())).payload();
                    add(node, request.number("offset").orElse(0), length, true, reply.event());
                }
            }
            case "WRITE" -> {
                if (!passesBy(request)) {
                    long length = request.number("size").orElse(0);
                    add(node, request.number("offset").orElse(0), length, false, reply.event());
                }
            }
            case "SETATTR", "FALLOCATE" -> files.remove(node);
            case "COPY_FILE_RANGE" -> request.number("nodeid_out").ifPresent(files::remove);
            case "FORGET" -> {
                files.remove(node);
                versions.remove(node);
            }
            case "RELEASE" -> request.number("fh").ifPresent(direct::remove);
            case "DESTROY" -> {
                files.clear();
                versions.clear();
                direct.clear();
            }
            default -> {}
        }
    }

    private void attributes(long node, Message request, Message reply) {
        if (reply.text("attr_valid").isEmpty() || request.name().equals("SETATTR")) {
            return;
        }
        long file = reply.number("nodeid").orElse(node);
        String version = reply.text("size").orElse("") + " "
                + reply.text("mtime").orElse("") + " " + reply.text("mtimensec").orElse("");
        String before = versions.put(file, version);
        if (invalidates && before != null && !before.equals(version)) {
            files.remove(file);
        }
    }

    private void opened(long node, Message reply) {
        String flags = reply.text("open_flags").orElse("");
        if (!flags.contains("KEEP_CACHE")) {
            files.remove(node);
        }
        if (flags.contains("DIRECT_IO")) {
            reply.number("fh").ifPresent(direct::add);
        }
    }

    private boolean passesBy(Message request) {
        return request.text("flags").orElse("").contains("O_DIRECT")
                || direct.contains(request.number("fh").orElse(-1));
    }

    /// @param toTheEnd whether a page counts of which only the beginning came: behind it the file
    ///     ends
    private void add(long node, long offset, long length, boolean toTheEnd, int event) {
        long end = offset + length;
        long first = (offset + PAGE - 1) / PAGE;
        long after = toTheEnd ? (end + PAGE - 1) / PAGE : end / PAGE;
        if (offset < 0 || length <= 0 || end < 0 || first >= after) {
            return;
        }
        TreeMap<Long, Long> ranges = new TreeMap<>();
        if (files.containsKey(node)) {
            ranges.putAll(files.get(node).ranges);
        }
        Map.Entry<Long, Long> before = ranges.floorEntry(first);
        if (before != null && before.getValue() >= first) {
            first = before.getKey();
            after = Math.max(after, before.getValue());
        }
        for (Map.Entry<Long, Long> next = ranges.ceilingEntry(first);
                next != null && next.getKey() <= after;
                next = ranges.ceilingEntry(first)) {
            after = Math.max(after, next.getValue());
            ranges.remove(next.getKey());
        }
        if (ranges.size() < MOST_RANGES) {
            ranges.put(first, after);
            files.put(node, new Pages(Collections.unmodifiableSortedMap(ranges), event));
        }
    }

    @Override
    public String toString() {
        return files + " " + versions + " " + direct;
    }
}
