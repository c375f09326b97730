package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.posix.Mounted;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Fcntl;

/// How many system calls a request costs: they, not Java, are what takes the time.
class SystemCallCountTest extends SharedFolder {

    private static final int BIRTH = 80; // in struct statx

    @BeforeEach
    void serve() throws Exception {
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(share.resolve("f"), "data");
        serve(PassthroughOptions.DEFAULT);
        guest.mkdir(Guest.ROOT, "warm", 0755); // the thread has found out who it is
    }

    private List<String> calls(NotedLibc.Action action) throws Exception {
        return NotedLibc.SHARED.during(action);
    }

    /// One to look a known name up, three for a new one, and for one that was forgotten.
    ///
    /// Caught: the status of a forgotten file asked twice; the handle of a new one asked for; the
    /// root asked whether it is there.
    @Test
    void lookups() throws Exception {
        assertEquals(List.of("statx", "openat", "statx"), calls(() -> guest.lookup(Guest.ROOT, "f")));
        assertEquals(List.of("statx"), calls(() -> guest.lookup(Guest.ROOT, "f")));
        assertEquals(List.of("statx"), calls(() -> Guest.errnoOf(() -> guest.lookup(Guest.ROOT, "none"))));
        long warm = guest.node("warm"); // a directory may be gone itself
        assertEquals(List.of("statx", "statx"), calls(() -> Guest.errnoOf(() -> guest.lookup(warm, "none"))));
        long node = guest.node("f");
        assertEquals(List.of("statx"), calls(() -> guest.getattr(node)));
        assertEquals(List.of("name_to_handle_at", "close"), calls(() -> guest.forget(node, 3)));
        assertEquals(List.of("statx", "openat", "name_to_handle_at"), calls(() -> guest.lookup(Guest.ROOT, "f")));
        assertEquals(List.of("close"), calls(() -> guest.forget(node, 1)));
    }

    /// What it costs not to keep descriptors: each request opens what it needs. To forget a file
    /// needs nothing.
    ///
    /// Caught: a file opened when it is forgotten, although its handle is known.
    @Test
    void withHandlesOnly() throws Exception {
        endGuest();
        Path tmpfs = Files.createDirectory(share.resolve("tmpfs"));
        try (Mounted _ = Mounted.tmpfs(tmpfs);
                Guest frugal = new Guest(tmpfs, PassthroughOptions.DEFAULT.withFileHandles(FileHandleUse.MANDATORY))) {
            Files.writeString(tmpfs.resolve("f"), "data");
            String toFind = "statx, openat, statx, name_to_handle_at, close";
            assertEquals(
                    "[" + toFind + "]",
                    calls(() -> frugal.lookup(Guest.ROOT, "f")).toString());
            assertEquals(List.of("statx", "name_to_handle_at"), calls(() -> frugal.lookup(Guest.ROOT, "f")));
            long node = frugal.node("f");
            assertEquals(List.of("open_by_handle_at", "statx", "close"), calls(() -> frugal.getattr(node)));
            assertEquals(List.of("open_by_handle_at", "openat"), calls(() -> frugal.open(node, 0)));
            assertEquals(List.of("statx"), calls(() -> frugal.lookup(Guest.ROOT, "f"))); // it is open
            assertEquals(List.of("statx"), calls(() -> frugal.getattr(node)));
            Files.writeString(tmpfs.resolve("g"), "");
            long other = frugal.node("g");
            assertEquals(List.of(), calls(() -> frugal.forget(other, 1)));
        }
    }

    /// Three are enough, too, if the file has the inode number of another that the guest has
    /// forgotten, and if it has a descriptor no more. Who makes a file need not ask whose number it
    /// was.
    ///
    /// Caught: a handle asked for although the births differ; for a file that was just made; the
    /// status asked again of a file that is known by its handle.
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void inodeNumbersThatAreUsedAgain() throws Exception {
        endGuest();
        Path ext4 = Files.createDirectory(share.resolve("ext4"));
        PassthroughOptions options = PassthroughOptions.DEFAULT.withDescriptors(16);
        try (Mounted _ = Mounted.ext4(ext4);
                Guest other = new Guest(ext4, options)) {
            other.mkdir(Guest.ROOT, "warm", 0755);
            long number = makeAndForget(other, ext4.resolve("f"));
            Thread.sleep(20); // births differ
            Files.writeString(ext4.resolve("g"), "");
            assertEquals(number, Files.getAttribute(ext4.resolve("g"), "unix:ino"));
            assertEquals(List.of("statx", "openat", "statx"), calls(() -> other.lookup(Guest.ROOT, "g")));
            Files.delete(ext4.resolve("g"));
            other.forget(other.node("warm") + 1, 1);

            other.libc.afterStatx(statx -> statx.asSlice(BIRTH, 12).fill((byte) 0)); // from now on they do not
            number = makeAndForget(other, ext4.resolve("f"));
            assertEquals(List.of("openat", "openat", "statx"), calls(() -> {
                int flags = Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_RDWR;
                other.create(Guest.ROOT, "made", flags, 0600, 0);
            }));
            assertEquals(number, Files.getAttribute(ext4.resolve("made"), "unix:ino"));

            Files.writeString(ext4.resolve("h"), "");
            other.lookup(Guest.ROOT, "h");
            for (int i = 0; i < 20; i++) {
                other.mkdir(Guest.ROOT, "more" + i, 0755); // it gives its descriptor up
            }
            List<String> last = calls(() -> other.lookup(Guest.ROOT, "h")); // another has to give up its own first
            assertEquals(List.of("openat", "name_to_handle_at"), last.subList(last.size() - 2, last.size()));
        }
    }

    /// @return the inode number, which is free again
    private static long makeAndForget(Guest guest, Path file) throws Exception {
        Files.writeString(file, "");
        EntryOut entry = guest.lookup(Guest.ROOT, file.getFileName().toString());
        Files.delete(file);
        guest.forget(entry.nodeid(), 1);
        return entry.attr().ino();
    }

    /// One for the data, whatever came before.
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void data() throws Exception {
        guest.mkdir(Guest.ROOT, "mine", 0755); // so has this thread, which nobody has used before
        long node = guest.node("f");
        assertEquals(List.of("openat"), calls(() -> guest.open(node, Fcntl.O_RDWR)));
        long fh = guest.open(node, Fcntl.O_RDWR);

        assertEquals(List.of("preadv2"), calls(() -> guest.read(node, fh, 0, 1)));
        assertEquals(List.of("pwritev2"), calls(() -> guest.write(node, fh, 0, "x")));
        // giving up the capability costs once, not for each write, nor for what is between them
        WriteFlag kill = WriteFlag.KILL_SUIDGID;
        assertEquals(List.of("syscall", "pwritev2"), calls(() -> guest.write(node, fh, 0, "x", kill)));
        assertEquals(List.of("pwritev2"), calls(() -> guest.write(node, fh, 0, "x", kill)));
        assertEquals(List.of("preadv2"), calls(() -> guest.read(node, fh, 0, 1)));
        assertEquals(List.of("statx"), calls(() -> guest.lookup(Guest.ROOT, "f")));
        assertEquals(List.of("pwritev2"), calls(() -> guest.write(node, fh, 0, "x", kill)));
        FileRequest flush = new FileRequest.Flush(guest.header(node), new FlushIn(fh, 0));
        assertEquals(List.of("fcntl", "close"), calls(() -> guest.ask(flush)));
        FileRequest release = new FileRequest.Release(guest.header(node), new ReleaseIn(fh, 0, 0, 0));
        assertEquals(List.of("close"), calls(() -> guest.ask(release)));
    }

    /// Three to make a file; as a user one more to become one, and one to come back. What they were
    /// last stays: only who is in other groups costs more, once.
    ///
    /// Caught: groups given back after each file; set for each.
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void creations() throws Exception {
        guest.mkdir(Guest.ROOT, "mine", 0755); // so has this thread, which nobody has used before
        assertEquals(List.of("openat", "openat", "statx"), calls(() -> create("a")));
        assertEquals(List.of("mkdirat", "openat", "statx"), calls(() -> guest.mkdir(Guest.ROOT, "b", 0755)));
        assertEquals(List.of("unlinkat"), calls(() -> guest.rmdir(Guest.ROOT, "b")));
        assertEquals(
                List.of("linkat", "statx"),
                calls(() -> guest.link(guest.lookup(1, "a").nodeid(), 1, "c")).stream()
                        .skip(1) // the lookup
                        .toList());
        assertEquals(List.of("renameat2"), calls(() -> guest.rename(1, "c", 1, "d", 0)));

        List<String> five = List.of("syscall", "openat", "syscall", "openat", "statx");
        for (Caller user : List.of(Caller.USER, Caller.USER.in(2222), Caller.USER.in(2222, 3333))) {
            guest.caller = user;
            create("first of " + user);
            assertEquals(five, calls(() -> create("second of " + user)));
            guest.getattr(Guest.ROOT);
            assertEquals(
                    List.of("syscall", "mkdirat", "syscall", "openat", "statx"),
                    calls(() -> guest.mkdir(Guest.ROOT, "third of " + user, 0755)));
        }
    }

    /// A guest before Linux 6.3 does not tell groups: that the host refuses what the guest's kernel
    /// has allowed by one of them is the only thing that costs more.
    ///
    /// Caught: the right to overrule taken before it is needed.
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void creationsForAGuestThatTellsNoGroups() throws Exception {
        guest.init(37, Guest.without(InitFlag.CREATE_SUPP_GROUP));
        guest.caller = Caller.USER;
        create("first");
        assertEquals(List.of("syscall", "openat", "syscall", "openat", "statx"), calls(() -> create("second")));
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwx------"));
        assertEquals(
                List.of("syscall", "openat", "syscall", "openat", "syscall", "openat", "statx"),
                calls(() -> create("third")));
    }

    private void create(String name) throws Exception {
        guest.create(Guest.ROOT, name, Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_RDWR, 0644, 0);
    }

    /// One getdents64 for a listing, and one statx for each entry that is known.
    @Test
    void listings() throws Exception {
        long fh = guest.opendir(Guest.ROOT);
        EntryOut warm = guest.lookup(Guest.ROOT, "warm");
        guest.lookup(Guest.ROOT, "f");

        assertEquals(List.of("getdents64"), calls(() -> guest.readdir(Guest.ROOT, fh, 0, 4096)));
        assertEquals(
                List.of("lseek", "getdents64", "statx", "statx"),
                calls(() -> guest.readdirplus(Guest.ROOT, fh, 0, 4096)));
        assertEquals(
                List.of("statx"),
                calls(() -> guest.ask(new InodeRequest.Lookup(guest.header(1), vitrine.wire.Name.of("warm")))));
        DirectoryRequest release = new DirectoryRequest.Releasedir(guest.header(1), new ReleaseIn(fh, 0, 0, 0));
        assertEquals(List.of("close"), calls(() -> guest.ask(release)));
        assertEquals(Guest.ROOT + 1, warm.nodeid());
    }

    /// A name that is new takes two calls in a listing, which knows that it is new; and one the
    /// next time.
    ///
    /// Caught: `findListed` that always looks first.
    @Test
    void listingsOfNewNames() throws Exception {
        Files.createDirectory(share.resolve("d"));
        Files.writeString(share.resolve("d").resolve("a"), "");
        Files.writeString(share.resolve("d").resolve("b"), "");
        long node = guest.node("d");
        long fh = guest.opendir(node);

        assertEquals(
                List.of("getdents64", "openat", "statx", "openat", "statx"),
                calls(() -> guest.readdirplus(node, fh, 0, 4096)));
        assertEquals(
                List.of("lseek", "getdents64", "statx", "statx"), calls(() -> guest.readdirplus(node, fh, 0, 4096)));
    }
}
