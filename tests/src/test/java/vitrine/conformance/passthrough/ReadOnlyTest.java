package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.struct.AccessIn;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.IoctlIn;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// A share that can only be read (`--readonly`), beside a mount of the host's of the same kind.
class ReadOnlyTest extends SharedFolder {

    private static final PassthroughOptions READ_ONLY =
            PassthroughOptions.DEFAULT.with(Feature.READ_ONLY, Feature.XATTR);

    private Path mount;

    @BeforeEach
    void serve() throws Exception {
        mount = Files.createDirectory(temporary.resolve("mount"));
        Files.createDirectory(share.resolve("a"));
        Files.writeString(share.resolve("a/c"), "within");
        Files.writeString(share.resolve("b"), "some text");
        Files.setAttribute(share.resolve("b"), "unix:mode", 04755);
        Files.createSymbolicLink(share.resolve("l"), Path.of("b"));
        Needs.that(run("mount", "--bind", share, mount), "needs mount(2), that is CAP_SYS_ADMIN");
        assertTrue(run("mount", "-oremount,bind,ro", mount));
        serve(READ_ONLY);
    }

    @AfterEach
    void close() throws Exception {
        if (guest != null) {
            assertTrue(run("umount", "-l", mount));
        }
    }

    private static boolean run(Object... command) throws Exception {
        String[] words = Stream.of(command).map(Object::toString).toArray(String[]::new);
        return new ProcessBuilder(words).start().waitFor() == 0;
    }

    /// Every call with every argument, on what is there and what is not: the answer of a read-only
    /// mount. Where that has another complaint, EROFS may come first. Nothing changes.
    ///
    /// Caught: UNLINK let pass; SETATTR let pass.
    @Test
    void itIsLikeAReadOnlyMount() throws Exception {
        Map<String, Object> before = everything();
        GuestTwin asGuest = new GuestTwin(guest);
        try (HostTwin onMount = new HostTwin(guest.sys, mount)) {
            for (Step.What what : Step.What.values()) {
                for (String name : List.of("a", "b", "l", "none")) {
                    for (int number = 0; number < 8; number++) {
                        Step step = new Step(what, "", name, "a", "c", number);

                        String answer = asGuest.take(step);

                        String expected = onMount.take(step);
                        boolean refusedEarlier = answer.equals("EROFS") && expected.startsWith("E");
                        assertTrue(
                                answer.equals(expected) || refusedEarlier, step + ": " + answer + ", not " + expected);
                    }
                }
            }
        }
        assertEquals(before, everything());
    }

    /// Attributes with the times of all changes, which nobody can set back.
    private Map<String, Object> everything() throws Exception {
        Map<String, Object> all = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(share)) {
            for (Path path : paths.toList()) {
                String what = "unix:mode,uid,gid,nlink,size,ctime,lastModifiedTime";
                all.put(path.toString(), Files.readAttributes(path, what, LinkOption.NOFOLLOW_LINKS));
            }
        }
        return all;
    }

    /// open(2) with `O_CREAT`, which is a CREATE if the guest's kernel knows of no such file: for
    /// reading it works if there is one, as on the host.
    ///
    /// Caught: CREATE refused as a whole; the file made; a missing one ENOENT; `O_TRUNC` let pass.
    @Test
    void whatIsThereCanBeCreatedForReading() throws Exception {
        try (Fd directory = guest.sys.openPath(mount.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY)) {
            for (String name : List.of("b", "none")) {
                for (int more : new int[] {0, Fcntl.O_EXCL, Fcntl.O_TRUNC, Fcntl.O_WRONLY, Fcntl.O_RDWR}) {
                    int flags = Fcntl.O_CREAT | more;
                    int expected = Guest.errnoOf(() -> guest.sys
                            .openat(directory, Name.of(name), flags, 0644)
                            .close());

                    assertEquals(
                            expected,
                            Guest.errnoOf(() -> guest.create(Guest.ROOT, name, flags, 0644, 0)),
                            name + " 0" + Integer.toOctalString(flags));
                }
            }
        }
        Guest.Created created = guest.create(Guest.ROOT, "b", Fcntl.O_CREAT, 0644, 0);
        assertEquals(
                "some",
                new String(guest.read(created.entry().nodeid(), created.open().fh(), 0, 4)));
    }

    /// What only reads, or concerns nobody's data, goes on as ever: locks too.
    @Test
    void readersDoNotNotice() throws Exception {
        serve(READ_ONLY.with(Feature.POSIX_LOCKS, Feature.FLOCKS));
        long node = guest.node("b");
        long fh = guest.open(node, Fcntl.O_RDONLY);
        LkIn readers = new LkIn(fh, 1, new FileLock(0, 9, Fcntl.F_RDLCK, 1), 0);
        LkIn alone = new LkIn(fh, 1, new FileLock(0, Long.MAX_VALUE, Fcntl.F_WRLCK, 1), 1);
        FuseRequest[] requests = {
            new LockRequest.Setlk(guest.header(node), readers),
            new LockRequest.Setlk(guest.header(node), alone), // flock(2)
            new FileRequest.Fsync(guest.header(node), new FsyncIn(fh, 0)),
            new InodeRequest.Syncfs(guest.header(node), new SyncfsIn()),
            new InodeRequest.Statfs(guest.header(node)),
            new FileRequest.Flush(guest.header(node), new FlushIn(fh, 1))
        };

        for (FuseRequest request : requests) {
            assertEquals(0, guest.errno(request), request.toString());
        }
    }

    /// Each of these has a form that changes something and one that does not.
    ///
    /// Caught: each of the four with the other answer.
    @Test
    void onlyTheFormThatChangesSomethingIsRefused() {
        int setFlags = 0x40086602; // FS_IOC_SETFLAGS
        int getFlags = 0x80086601; // FS_IOC_GETFLAGS
        CreateIn create = new CreateIn(Fcntl.O_RDWR, 0600, 0, 0);

        assertEquals(Errno.EROFS, guest.errno(access(6)));
        assertEquals(Errno.EROFS, guest.errno(new FileRequest.Tmpfile(guest.header(1), create, Name.of("/"))));
        assertEquals(Errno.EROFS, guest.errno(ioctl(setFlags)));
        assertEquals(Errno.EROFS, guest.errno(mapping(3)));
        assertEquals(0, guest.errno(access(4)));
        assertEquals(Errno.EINVAL, guest.errno(ioctl(getFlags))); // it leaves no room
        assertEquals(Errno.ENOSYS, guest.errno(mapping(2)));
    }

    private FuseRequest access(int mask) {
        return new InodeRequest.Access(guest.header(1), new AccessIn(mask), Extensions.NONE);
    }

    private FuseRequest ioctl(int command) {
        return new FileRequest.Ioctl(guest.header(1), new IoctlIn(0, 0, command, 0, 0, 0), Buffers.EMPTY);
    }

    private FuseRequest mapping(long flags) {
        return new DaxRequest.SetupMapping(guest.header(1), new SetupMappingIn(-1, 0, 1 << 21, flags, 0));
    }
}
