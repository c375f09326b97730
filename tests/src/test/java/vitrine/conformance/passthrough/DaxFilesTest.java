package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.dax.ObedientMapper;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.dax.DaxPolicy;
import vitrine.dax.Window;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InitOut;
import vitrine.passthrough.PassthroughOptions;

/// Which files the guest is told to use through the DAX window, and what it costs to know.
class DaxFilesTest {

    private static final DaxPolicy CACHED = new DaxPolicy.Marked(true);
    private static final DaxPolicy ASKED = new DaxPolicy.Marked(false);

    @TempDir
    private Path share;

    private Guest guest;

    @AfterEach
    void close() {
        if (guest != null) {
            guest.close();
        }
    }

    private void serve(Path directory, DaxPolicy policy, long offered) throws Exception {
        close();
        Window window = new Window(SYS, Window.SMALLEST, SYS::dup);
        window.use(new ObedientMapper());
        guest = new Guest(directory, PassthroughOptions.DEFAULT.withDax(policy), offered, window);
    }

    private void serve(DaxPolicy policy) throws Exception {
        serve(share, policy, Guest.ALL_FLAGS);
    }

    private boolean isDax(String name) throws Exception {
        return AttrFlag.DAX.in(guest.lookup(Guest.ROOT, name).attr().flags());
    }

    /// Seen to catch: DaxFiles.mayBe without asking for a regular file.
    @Test
    void thePolicyDecides() throws Exception {
        Files.write(share.resolve("small"), new byte[4095]);
        Files.write(share.resolve("large"), new byte[4096]);
        Files.createDirectory(share.resolve("directory"));

        serve(new DaxPolicy.Always());
        assertTrue(isDax("small") && isDax("large"));
        assertFalse(isDax("directory"));

        serve(new DaxPolicy.Large(4096));
        assertTrue(isDax("large"));
        assertFalse(isDax("small"));

        serve(new DaxPolicy.Never());
        assertFalse(isDax("large"));
    }

    /// fuse.h, FUSE_HAS_INODE_DAX: whoever did not say it listens for nothing; and a flag on a
    /// device without a window makes Linux forget each file at once.
    ///
    /// Seen to catch: DaxFiles.mayBe without asking what was agreed.
    @Test
    void nobodyIsToldWhoCannotUseIt() throws Exception {
        Files.write(share.resolve("f"), new byte[10]);

        serve(share, new DaxPolicy.Always(), Guest.without(InitFlag.HAS_INODE_DAX));
        assertFalse(isDax("f"));

        close();
        guest = new Guest(share, PassthroughOptions.DEFAULT.withDax(new DaxPolicy.Always()));
        assertFalse(isDax("f"), "there is no window");
        InitOut out = guest.init(38, Guest.ALL_FLAGS);
        assertFalse(InitFlag.HAS_INODE_DAX.in(out.allFlags()) || InitFlag.MAP_ALIGNMENT.in(out.allFlags()));

        serve(new DaxPolicy.Always());
        out = guest.init(38, Guest.ALL_FLAGS);
        assertTrue(InitFlag.HAS_INODE_DAX.in(out.allFlags()) && InitFlag.MAP_ALIGNMENT.in(out.allFlags()));
        assertEquals(12, out.mapAlignment());
    }

    /// Of a file system that is mounted inside the share nobody knows whether its files can be
    /// mapped.
    ///
    /// Seen to catch: DaxFiles.mayBe without asking for the device.
    @Test
    void whatIsMountedInsideIsLeftOut() throws Exception {
        Path inside = Files.createDirectory(share.resolve("inside"));
        try (Mounted _ = Mounted.tmpfs(inside)) {
            Files.write(inside.resolve("f"), new byte[10]);
            serve(new DaxPolicy.Always());

            EntryOut file = guest.lookup(guest.node("inside"), "f");

            assertFalse(AttrFlag.DAX.in(file.attr().flags()));
            close();
            guest = null;
        }
    }

    /// The front end maps what can be written to, and nobody can open such a file for that.
    ///
    /// Seen to catch: DaxFiles.mayBe without NEVER_WRITTEN.
    @Test
    void aFileThatNobodyMayWriteToIsNoDaxFile() throws Exception {
        Needs.root();
        Needs.tool("chattr", "e2fsprogs");
        Path file = Files.write(share.resolve("f"), new byte[10]);
        serve(new DaxPolicy.Always());
        try {
            assertEquals(
                    0,
                    new ProcessBuilder("chattr", "+i", file.toString()).start().waitFor());
            assertFalse(isDax("f"));
        } finally {
            new ProcessBuilder("chattr", "-i", file.toString()).start().waitFor();
        }
        assertTrue(isDax("f"));
    }

    /// One LOOKUP of a known name: as cheap as without, if the mark is kept; three calls more if it
    /// is asked for each time. GETATTR likewise.
    ///
    /// Seen to catch: DaxFlag that keeps nothing; that is asked although it is off.
    @Test
    void whatALookupCosts() throws Exception {
        Needs.root();
        Path file = Files.write(share.resolve("f"), new byte[10]);
        DaxMark.needed(file);
        DaxMark.set(file, true);
        Thread.sleep(30); // the tick of its ctime is over

        assertEquals(List.of("statx"), callsOfALookup(new DaxPolicy.Never()));
        assertEquals(List.of("statx", "openat", "ioctl", "close"), callsOfALookup(ASKED));
        assertEquals(List.of("statx"), callsOfALookup(CACHED));
        long node = guest.node("f");
        var getattr = new InodeRequest.Getattr(guest.header(node), new GetattrIn(0, 0));
        assertEquals(List.of("statx"), guest.libc.during(() -> guest.struct(AttrOut.class, getattr)));
        assertTrue(AttrFlag.DAX.in(guest.struct(AttrOut.class, getattr).attr().flags()));
    }

    private List<String> callsOfALookup(DaxPolicy policy) throws Exception {
        serve(policy);
        guest.lookup(Guest.ROOT, "f");
        return guest.libc.during(() -> guest.lookup(Guest.ROOT, "f"));
    }

    /// A mark is kept where the clock ticks once in a second, too; and on an overlayfs it is what
    /// that says.
    ///
    /// Seen to catch: Tick.isOver that is never so for whole seconds.
    @Test
    void soItIsOnOtherFileSystems() throws Exception {
        Needs.root();
        Path place = Files.createDirectory(share.resolve("place"));
        try (Mounted _ = Mounted.ext4(place, "-I", "128")) {
            Path file = Files.createFile(place.resolve("f"));
            DaxMark.needed(file);
            serve(place, CACHED, Guest.ALL_FLAGS);
            Thread.sleep(2100); // the second of its ctime is over, and one more
            assertFalse(isDax("f"));
            assertEquals(List.of("statx"), guest.libc.during(() -> guest.lookup(Guest.ROOT, "f")));
            DaxMark.set(file, true);
            assertTrue(isDax("f"));
            close();
            guest = null;
        }
        Path lower = Files.createDirectory(share.resolve("lower"));
        try (Mounted _ = Mounted.overlay(lower, place)) {
            Files.createFile(place.resolve("f"));
            serve(place, CACHED, Guest.ALL_FLAGS);
            assertEquals(DaxMark.isSet(place.resolve("f")), isDax("f"));
        }
    }

    /// Where there are no marks, no file has one.
    @Test
    void onAFileSystemWithoutMarksNoFileIsMarked() throws Exception {
        Needs.root();
        Path place = Files.createDirectory(share.resolve("place"));
        try (Mounted _ = Mounted.tmpfs(place)) {
            Files.createFile(place.resolve("f"));
            Thread.sleep(30);
            serve(place, CACHED, Guest.ALL_FLAGS);
            assertFalse(isDax("f"));
            assertEquals(List.of("statx"), guest.libc.during(() -> guest.lookup(Guest.ROOT, "f")), "asked once");
            guest.close();
            guest = null;
        }
    }
}
