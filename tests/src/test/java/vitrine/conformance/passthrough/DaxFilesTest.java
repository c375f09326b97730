package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
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
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InitOut;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;

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

    /// An administrator of the host marks and unmarks files as they like.
    ///
    /// Seen to catch: DaxFlag.isSet that believes an answer whatever the ctime.
    @Test
    void theMarkIsNeverStale() throws Exception {
        Needs.root();
        DaxMark.needed(Files.createFile(share.resolve("probe")));
        flipAndLook(share, 600, 8);
    }

    /// And they do not wait until nobody looks.
    ///
    /// Seen to catch: DaxFlag.isSet that believes an answer whatever the ctime.
    @Test
    void norIsItAfterAFlipInTheMiddleOfALook() throws Exception {
        Needs.root();
        Path file = Files.createFile(share.resolve("f"));
        DaxMark.needed(file);
        serve(CACHED);
        Random random = new Random(1);
        for (int round = 0; round < 10; round++) {
            CompletableFuture<Void> administrator = CompletableFuture.runAsync(() -> flip(file, random));
            while (!administrator.isDone()) {
                isDax("f");
            }
            administrator.join();
            assertEquals(DaxMark.isSet(file), isDax("f"), "round " + round);
        }
    }

    private static void flip(Path file, Random random) {
        try {
            for (int i = 0; i < 200; i++) {
                DaxMark.set(file, random.nextBoolean());
                if (random.nextInt(20) == 0) {
                    Thread.sleep(random.nextInt(4));
                }
            }
        } catch (ErrnoException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The same on file systems that keep time otherwise. With inodes of 128 bytes, ext4 keeps
    /// whole seconds: a mark may change twice within one ctime.
    ///
    /// Seen to catch: DaxFlag.isSet with `keeps` always true; LONG_TICK as short as TICK.
    @Test
    void norWhereTimesAreCoarse() throws Exception {
        Needs.root();
        Path place = Files.createDirectory(share.resolve("place"));
        try (Mounted _ = Mounted.ext4(place, "-I", "128")) {
            DaxMark.needed(Files.createFile(place.resolve("probe")));
            flipAndLook(place, 400, 20);

            Thread.sleep(1100); // now marks can be kept
            boolean before = isDax("f0");
            assertEquals(List.of("statx"), guest.libc.during(() -> guest.lookup(Guest.ROOT, "f0")));
            for (int i = 0; i < 3; i++) {
                before = !before;
                DaxMark.set(place.resolve("f0"), before);
                assertEquals(before, isDax("f0"));
            }
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

    /// Looks, flips and pauses at random, and compares each time.
    private void flipAndLook(Path directory, int steps, int longestPause) throws Exception {
        serve(directory, CACHED, Guest.ALL_FLAGS);
        Path[] files = new Path[3];
        for (int i = 0; i < files.length; i++) {
            files[i] = Files.createFile(directory.resolve("f" + i));
        }
        Random random = new Random(steps);
        for (int step = 0; step < steps; step++) {
            Path file = files[random.nextInt(files.length)];
            switch (random.nextInt(5)) {
                case 0 -> DaxMark.set(file, random.nextBoolean());
                case 1 -> Thread.sleep(random.nextInt(longestPause + 1));
                default ->
                    assertEquals(DaxMark.isSet(file), isDax(file.getFileName().toString()), "step " + step);
            }
        }
    }
}
