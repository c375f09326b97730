package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.wire.Name;

/// File capabilities (capabilities(7)), under their own name and under another: who changes a file
/// takes them from it (CVE-2021-20263).
class FileCapabilityTest extends SharedFolder {

    private static final String CAPABILITY = "security.capability";
    private static final String NET_RAW = "\1\0\0\2\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0"; // VFS_CAP_REVISION_2, effective

    private Xattrs xattrs;

    @Override
    void serve(PassthroughOptions options, long offered) throws Exception {
        super.serve(options, offered);
        xattrs = new Xattrs(guest);
    }

    /// Something that a guest does to the file `f`.
    ///
    /// @param removes whether the capability must go
    record Change(String name, boolean removes, Act act) {
        interface Act {
            void on(Guest guest, long node, long fh) throws Exception;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Change> changes() {
        return List.of(
                new Change("WRITE", true, (guest, node, fh) -> guest.write(node, fh, 0, "x")),
                new Change("FALLOCATE", true, (guest, node, fh) -> fallocate(guest, node, fh, 0)),
                new Change("punching a hole", true, (guest, node, fh) -> fallocate(guest, node, fh, 3)),
                new Change("OPEN with O_TRUNC", true, (guest, node, _) -> guest.open(node, Fcntl.O_TRUNC | 2)),
                new Change("CREATE with O_TRUNC", true, (guest, _, _) -> create(guest, Fcntl.O_TRUNC | 2)),
                new Change("truncate", true, (guest, node, _) -> guest.setattr(node, Setattr.size(1))),
                new Change("ftruncate", true, (guest, node, fh) -> guest.setattr(node, Setattr.size(1, fh))),
                new Change("COPY_FILE_RANGE to it", true, (guest, node, fh) -> copy(guest, other(guest), node, fh)),
                new Change("chown", true, (guest, node, _) -> chown(guest, node, SetattrFlag.UID)),
                new Change("chgrp", true, (guest, node, _) -> chown(guest, node, SetattrFlag.GID)),
                new Change("chown to nobody", true, (guest, node, _) -> guest.setattr(node, Setattr.nothing())),
                new Change("READ", false, (guest, node, fh) -> guest.read(node, fh, 0, 1)),
                new Change("OPEN", false, (guest, node, _) -> guest.open(node, 2)),
                new Change("CREATE", false, (guest, _, _) -> create(guest, 2)),
                new Change("chmod", false, (guest, node, _) -> guest.setattr(node, Setattr.mode(0755))),
                new Change("COPY_FILE_RANGE from it", false, (guest, node, fh) -> {
                    long to = other(guest);
                    guest.ask(copying(guest, node, fh, to, guest.open(to, 2)));
                }));
    }

    private static void fallocate(Guest guest, long node, long fh, int mode) throws Exception {
        guest.ask(new FileRequest.Fallocate(guest.header(node), new FallocateIn(fh, 0, 1, mode)));
    }

    private static void create(Guest guest, int flags) throws Exception {
        guest.create(Guest.ROOT, "f", Fcntl.O_CREAT | flags, 0644, 0);
    }

    private static long other(Guest guest) throws Exception {
        Files.writeString(guest.directory.resolve("other"), "other");
        return guest.node("other");
    }

    private static void copy(Guest guest, long from, long to, long toFh) throws Exception {
        guest.ask(copying(guest, from, guest.open(from, 2), to, toFh));
    }

    private static FileRequest copying(Guest guest, long from, long fromFh, long to, long toFh) {
        CopyFileRangeIn in = new CopyFileRangeIn(fromFh, 0, to, toFh, 0, 3, 0);
        return new FileRequest.CopyFileRange(guest.header(from), in);
    }

    private static void chown(Guest guest, long node, SetattrFlag flag) throws Exception {
        guest.setattr(node, Setattr.owner(5, 5, flag));
    }

    /// Under another name the host's kernel does not know them; the outcome is that of the kernel
    /// under their own.
    ///
    /// Field report: probe: mapped capability.
    ///
    /// Caught: each of the removals left out; the removal at a `chmod`.
    @ParameterizedTest
    @MethodSource("changes")
    void whoChangesAFileTakesThemFromIt(Change change) throws Exception {
        for (String rules : List.of(":ok:all:::", ":map::user.v.:", ":map:security.:trusted.v.:")) {
            Files.deleteIfExists(share.resolve("f"));
            Files.writeString(share.resolve("f"), "program");
            serve(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(rules)));
            long node = guest.node("f");
            long fh = guest.open(node, Fcntl.O_RDWR);
            xattrs.set(node, CAPABILITY, NET_RAW);
            assertEquals(List.of(CAPABILITY), xattrs.list(node), rules);

            change.act.on(guest, node, fh);

            assertEquals(change.removes ? List.of() : List.of(CAPABILITY), xattrs.list(node), rules);
        }
    }

    /// A request that fails, or that changes no byte.
    ///
    /// @param running whether the file is a program that runs on the host
    record Vain(String name, boolean running, Change.Act act) {

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Vain> vain() {
        return List.of(
                new Vain("WRITE of nothing", false, (guest, node, fh) -> guest.write(node, fh, 0, "")),
                new Vain("WRITE to what is read", false, (guest, node, _) -> guest.write(node, reader(guest), 0, "x")),
                new Vain("FALLOCATE of nothing", false, (guest, node, fh) -> fallocate(guest, node, fh, 0, 0)),
                new Vain("FALLOCATE of less", false, (guest, node, fh) -> fallocate(guest, node, fh, -1, 0)),
                new Vain("FALLOCATE, odd", false, (guest, node, fh) -> fallocate(guest, node, fh, 1, 0x1000)),
                new Vain("FALLOCATE, half a hole", false, (guest, node, fh) -> fallocate(guest, node, fh, 1, 2)),
                new Vain("FALLOCATE of what is read", false, (guest, node, _) -> {
                    fallocate(guest, node, reader(guest), 1, 0);
                }),
                new Vain("ftruncate of what is read", false, (guest, node, _) -> {
                    guest.setattr(node, Setattr.size(1, reader(guest)));
                }),
                new Vain("truncate to less", false, (guest, node, _) -> guest.setattr(node, Setattr.size(-1))),
                new Vain("COPY_FILE_RANGE to what is read", false, (guest, node, _) -> {
                    copy(guest, other(guest), node, reader(guest));
                }),
                new Vain("OPEN with O_TRUNC", true, (guest, node, _) -> guest.open(node, Fcntl.O_TRUNC | 2)),
                new Vain("CREATE with O_TRUNC", true, (guest, _, _) -> create(guest, Fcntl.O_TRUNC | 2)),
                new Vain("truncate", true, (guest, node, _) -> guest.setattr(node, Setattr.size(1))));
    }

    private static long reader(Guest guest) throws Exception {
        return guest.open(guest.node("f"), Fcntl.O_RDONLY);
    }

    private static void fallocate(Guest guest, long node, long fh, long length, int mode) throws Exception {
        guest.ask(new FileRequest.Fallocate(guest.header(node), new FallocateIn(fh, 0, length, mode)));
    }

    /// What the host's kernel does under the attribute's own name is the right result: what fails
    /// there, or changes nothing, leaves it alone, and so it does under another name.
    ///
    /// Caught: each of the removals before what forbids the change.
    @ParameterizedTest
    @MethodSource
    void vain(Vain request) throws Exception {
        List<String> results = new ArrayList<>();
        for (String rules : List.of(":ok:all:::", ":map::user.v.:")) {
            Files.deleteIfExists(share.resolve("f"));
            Files.copy(Path.of("/bin/sleep"), share.resolve("f"));
            serve(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(rules)));
            long node = guest.node("f");
            long fh = request.running ? 0 : guest.open(node, Fcntl.O_RDWR);
            xattrs.set(node, CAPABILITY, NET_RAW);
            Process program = request.running ? new ProcessBuilder(share + "/f", "60").start() : null;

            int errno = Guest.errnoOf(() -> request.act.on(guest, node, fh));

            results.add(errno + " " + xattrs.list(node));
            if (program != null) {
                program.destroyForcibly().waitFor();
            }
        }
        assertTrue(results.getFirst().endsWith(CAPABILITY + "]"), results::toString);
        assertEquals(results.getFirst(), results.getLast());
    }

    /// Whoever has given them to the file meanwhile, another guest or the host: nothing is
    /// remembered.
    ///
    /// Caught: no removal at a WRITE.
    @Test
    void itDoesNotMatterWhoHasGivenThem() throws Exception {
        Files.writeString(share.resolve("f"), "program");
        serve(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(":map::user.v.:")));
        long node = guest.node("f");
        long fh = guest.open(node, Fcntl.O_RDWR);
        guest.write(node, fh, 0, "x");
        try (Fd file = guest.sys.openPath(share.resolve("f").toString(), Fcntl.O_RDONLY)) {
            guest.sys.setxattr(file, Name.of("user.v." + CAPABILITY), vitrine.wire.Buffers.ofBytes(new byte[20]), 0);
        }

        guest.write(node, fh, 0, "y");

        assertEquals(List.of(), xattrs.list(node));
    }

    /// Only what is run has capabilities: the owner of a symbolic link or a FIFO changes, although
    /// those cannot have `user.` attributes.
    ///
    /// Caught: the removal tried on every kind of file (EPERM).
    @Test
    void whatIsNoRegularFileHasNone() throws Exception {
        serve(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(":map::user.v.:")));
        long link = guest.symlink(Guest.ROOT, "l", "f").nodeid();
        long fifo = guest.mknod(Guest.ROOT, "fifo", 0010644, 0).nodeid();

        for (long node : new long[] {link, fifo, Guest.ROOT}) {
            assertEquals(
                    5, guest.setattr(node, Setattr.owner(5, 5, SetattrFlag.UID)).uid());
        }
    }

    /// A file from which they cannot be taken is not changed.
    ///
    /// Caught: every failure taken for "there were none".
    @Test
    void whatCannotBeTakenAwayKeepsTheFileAsItIs() throws Exception {
        Files.writeString(share.resolve("f"), "program");
        serve(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(":map::user.v.:")));
        long node = guest.node("f");
        long fh = guest.open(node, Fcntl.O_RDWR);
        guest.libc.fail("fremovexattr", Errno.EIO);
        guest.libc.fail("removexattr", Errno.EIO);

        assertEquals(Errno.EIO, Guest.errnoOf(() -> guest.write(node, fh, 0, "x")));
        assertEquals(Errno.EIO, Guest.errnoOf(() -> guest.open(node, Fcntl.O_TRUNC | 2)));
        assertEquals(Errno.EIO, Guest.errnoOf(() -> guest.setattr(node, Setattr.size(0))));

        assertEquals("program", Files.readString(share.resolve("f")));
    }

    /// What it costs: one system call for a change, and none without such a map.
    @Test
    void theyCostASystemCallWhereTheyAreMapped() throws Exception {
        Files.writeString(share.resolve("f"), "program");
        Stream<PassthroughOptions> free = Stream.of(
                PassthroughOptions.DEFAULT.with(Feature.XATTR),
                PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(":map:trusted.:user.v.:")),
                PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(":bad:all:security.:security.:")));
        for (PassthroughOptions options : free.toList()) {
            assertEquals(List.of("pwritev2"), callsOfAWrite(options));
        }
        PassthroughOptions mapped = PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(":map::user.v.:"));
        assertEquals(List.of("fremovexattr", "pwritev2"), callsOfAWrite(mapped));
    }

    private List<String> callsOfAWrite(PassthroughOptions options) throws Exception {
        serve(options);
        long node = guest.node("f");
        long fh = guest.open(node, Fcntl.O_RDWR);
        guest.write(node, fh, 0, "x"); // the thread has found out who it is
        return guest.libc.during(() -> guest.write(node, fh, 0, "x"));
    }
}
