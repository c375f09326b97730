package vitrine.visualizer.timeline;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the guest's kernel may believe without asking: names, attributes, and that a file has no
/// privileges to lose. Folded from what the daemon allowed in its replies, and from decisions.
public final class CacheState {

    /// A name in a directory.
    public record Name(long parent, String name) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int parents = Long.compareUnsigned(parent, other.parent);
            return parents != 0 ? parents : name.compareTo(other.name);
        }
    }

    /// Something that may be believed for a time.
    ///
    /// @param what the nodeid that a name stands for, or the mode of a file
    /// @param since when the reply was given
    /// @param until when it is over
    /// @param event the reply
    public record Belief(String what, long since, long until, int event) {}

    private final TreeMap<Name, Belief> names;
    private final TreeMap<Long, Belief> attributes;
    private final TreeMap<Long, Belief> nothingToKill;
    private final CachedPages pages;

    CacheState() {
        this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new CachedPages());
    }

    private CacheState(
            TreeMap<Name, Belief> names,
            TreeMap<Long, Belief> attributes,
            TreeMap<Long, Belief> nothingToKill,
            CachedPages pages) {
        this.names = names;
        this.attributes = attributes;
        this.nothingToKill = nothingToKill;
        this.pages = pages;
    }

    CacheState copy() {
        return new CacheState(
                new TreeMap<>(names), new TreeMap<>(attributes), new TreeMap<>(nothingToKill), pages.copy());
    }

    int entries() {
        return names.size() + attributes.size() + nothingToKill.size() + pages.entries();
    }

    void apply(Run run, int n) {
        if (run.kind(n) == Kind.GUEST_DECISION) {
            remember(run, n);
        }
        if (run.kind(n) != Kind.REPLY_GIVEN) {
            return;
        }
        Optional<Message> request = Message.requestOf(run, n);
        if (request.isEmpty()) {
            return;
        }
        if (run.error(n) != 0) {
            refused(request.get());
            return;
        }
        Message reply = Message.of(run, n);
        long node = request.get().sender().nodeid();
        if (reply.number("entry_valid").isPresent()) {
            long found = reply.number("nodeid").orElse(0);
            String name = request.get()
                    .text("name")
                    .or(() -> request.get().text("new_name"))
                    .orElse("?");
            believe(names, new Name(node, name), nodeText(found), reply, "entry_valid");
            nothingToKill.remove(found);
            believe(attributes, found, "mode " + reply.text("mode").orElse("?"), reply, "attr_valid");
        } else if (reply.number("attr_valid").isPresent()) {
            nothingToKill.remove(node);
            believe(attributes, node, "mode " + reply.text("mode").orElse("?"), reply, "attr_valid");
        }
        forget(request.get(), node);
        pages.answered(run, request.get(), reply);
    }

    private static <K> void believe(Map<K, Belief> cache, K key, String what, Message reply, String field) {
        long seconds = Math.clamp(reply.number(field).orElse(0), 0, 1L << 33);
        long now = reply.nanos();
        cache.put(key, new Belief(what, now, now + seconds * 1_000_000_000, reply.event()));
    }

    /// The kernel's own note that a file has nothing to kill (S_NOSEC), until its attributes come
    /// anew.
    private void remember(Run run, int n) {
        if (!run.name(n).startsWith("kill: remember") || run.columns().text(n).equals("no")) {
            return;
        }
        run.stories()
                .of(n)
                .flatMap(story -> run.stories().request(story.number()))
                .ifPresent(request -> {
                    long node = run.sender(request).nodeid();
                    nothingToKill.put(node, new Belief("nothing to kill", run.nanos(n), Long.MAX_VALUE, n));
                });
    }

    /// A name that was looked for and is not there.
    private void refused(Message request) {
        if (request.name().equals("LOOKUP")) {
            drop(request.sender().nodeid(), request.text("name"));
        }
    }

    /// What changed by the guest's own doing is asked for anew.
    private void forget(Message request, long node) {
        switch (request.name()) {
            case "UNLINK", "RMDIR" -> drop(node, request.text("name"));
            case "RENAME", "RENAME2" -> move(request, node);
            case "WRITE", "FALLOCATE", "COPY_FILE_RANGE" -> attributes.remove(node);
            case "FORGET" -> {
                attributes.remove(node);
                nothingToKill.remove(node);
                names.values().removeIf(belief -> belief.what().equals(nodeText(node)));
            }
            case "DESTROY" -> {
                names.clear();
                attributes.clear();
                nothingToKill.clear();
            }
            default -> {}
        }
    }

    /// The kernel moves the name along with the file.
    private void move(Message request, long from) {
        Optional<Belief> belief = request.text("old_name").map(name -> names.remove(new Name(from, name)));
        long to = request.number("newdir").orElse(from);
        request.text("new_name").ifPresent(name -> {
            names.remove(new Name(to, name));
            belief.ifPresent(known -> names.put(new Name(to, name), known));
        });
    }

    private void drop(long directory, Optional<String> name) {
        name.ifPresent(known -> names.remove(new Name(directory, known)));
    }

    private static String nodeText(long node) {
        return "node " + Long.toUnsignedString(node);
    }

    /// Names that were found.
    public Map<Name, Belief> names() {
        return Collections.unmodifiableMap(names);
    }

    /// Attributes by nodeid.
    public Map<Long, Belief> attributes() {
        return Collections.unmodifiableMap(attributes);
    }

    /// The files of which it is remembered that they have no privileges to lose (S_NOSEC).
    public Map<Long, Belief> nothingToKill() {
        return Collections.unmodifiableMap(nothingToKill);
    }

    /// The pages of files that lie in the page cache.
    public CachedPages pages() {
        return pages;
    }

    @Override
    public String toString() {
        return names + " " + attributes + " " + nothingToKill + " " + pages;
    }
}
