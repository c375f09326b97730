package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.Returned;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;

/// A guest that lies, its victim, and what must not be harmed: the requests that come after a lie,
/// and a directory beside the share.
///
/// ```
/// tree/
///   share/     file (1000 bytes), dir/inner, link -> ../outside/secret
///   outside/   secret, dir/treasure
/// ```
final class Attack implements AutoCloseable {

    /// The nodeid of the shared directory.
    static final long ROOT = 1;

    /// Room for any reply that is asked for here.
    static final int ROOM = 4096;

    final Path share;
    final Path outside;
    final Victim victim;
    private final Map<String, String> outsideBefore;
    private long unique;

    /// Begins a session.
    ///
    /// @param temporary where the share may lie
    Attack(Victim.Kind kind, Path temporary) throws Exception {
        this(kind.tree(temporary), kind::serving);
    }

    /// Begins a session with a victim of the test's own.
    ///
    /// @param tree where the share is to lie
    Attack(Path tree, VictimOf serving) throws Exception {
        Needs.root(); // for identities, device nodes, and chown in the share
        share = Files.createDirectories(tree.resolve("share"));
        outside = Files.createDirectories(tree.resolve("outside"));
        SharedDaemon.empty(share);
        SharedDaemon.empty(outside);
        Files.write(share.resolve("file"), new byte[1000]);
        Files.writeString(Files.createDirectories(share.resolve("dir")).resolve("inner"), "inner");
        Files.createSymbolicLink(share.resolve("link"), Path.of("../outside/secret"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.writeString(Files.createDirectories(outside.resolve("dir")).resolve("treasure"), "treasure");
        outsideBefore = treeOf(outside);
        victim = serving.share(share);
        init();
    }

    /// A device that serves a share.
    interface VictimOf {
        Victim share(Path share) throws Exception;
    }

    /// The request queue.
    LyingDriver driver() {
        return victim.queue(1);
    }

    /// Sends bytes that are no request, or nearly one.
    Returned ask(byte[] bytes, int room) {
        return driver().ask(bytes, room);
    }

    /// Sends a request that is at least put together rightly.
    Returned ask(FuseRequest request) {
        return ask(bytes(request), ROOM);
    }

    /// The errno that answers the request, 0 if it succeeds.
    int errno(FuseRequest request) {
        return ask(request).errno();
    }

    /// A request as bytes.
    static byte[] bytes(FuseRequest request) {
        return request.encode().all().toBytes();
    }

    /// A header of root's, with a number that was not used before.
    InHeader header(long nodeid) {
        unique += 2;
        return InHeader.of(unique, nodeid, 0, 0, 4711);
    }

    /// A request that any healthy session answers.
    FuseRequest getattr() {
        return new InodeRequest.Getattr(header(ROOT), new GetattrIn(0, 0));
    }

    /// Begins a session anew.
    void init() {
        assertEquals(0, errno(new SessionRequest.Init(header(0), new InitIn(7, 38, 131_072, -1, -1))));
    }

    /// The nodeid of a name in a directory.
    long lookup(long directory, String name) throws MalformedException {
        Returned entry = ask(new InodeRequest.Lookup(header(directory), Name.of(name)));
        assertEquals(0, entry.errno(), name);
        return EntryOut.decode(entry.payload()).nodeid();
    }

    /// A handle of a file.
    long open(long nodeid, int flags) throws MalformedException {
        Returned open = ask(new FileRequest.Open(header(nodeid), new OpenIn(flags, 0)));
        assertEquals(0, open.errno());
        return OpenOut.decode(open.payload()).fh();
    }

    /// An honest request is answered, and nothing outside the share has changed.
    void verifyNothingIsHarmed() throws IOException {
        FuseRequest honest = getattr();
        Returned answer = ask(honest);
        assertEquals(0, answer.errno());
        assertEquals(honest.unique(), answer.header().unique());
        assertEquals(outsideBefore, treeOf(outside));
    }

    /// The share as it is now, to be compared with what it is later.
    Map<String, String> shareNow() throws IOException {
        return treeOf(share);
    }

    private static Map<String, String> treeOf(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList()) {
                Map<String, Object> all =
                        new TreeMap<>(Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS));
                all.remove("lastAccessTime");
                String content = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? Files.readString(path) : "";
                tree.put(root.relativize(path).toString(), all + content);
            }
        }
        return tree;
    }

    @Override
    public void close() {
        victim.close();
    }
}
