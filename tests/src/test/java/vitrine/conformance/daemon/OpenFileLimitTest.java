package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.InHeader;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.wire.Name;

/// `--rlimit-nofile`: how many files the daemon has open, and how many of them are the guest's.
class OpenFileLimitTest {

    private static final int LIMIT = 200;
    private static final int FILES = 400;

    @TempDir
    Path temporary;

    private Path share;
    private Mounted tmpfs;

    @BeforeEach
    void mount() throws Exception {
        Needs.root();
        share = Files.createDirectory(temporary.resolve("share"));
        tmpfs = Mounted.tmpfs(share);
        for (int i = 0; i < FILES; i++) {
            Files.createFile(share.resolve("f" + i));
        }
    }

    @AfterEach
    void unmount() throws Exception {
        if (tmpfs != null) {
            tmpfs.close();
        }
    }

    /// The kernel's limit is the one that was asked for; the guest gets a part of it, is told when
    /// that is spent, which is logged once, and gets it again after its FORGETs.
    ///
    /// Caught: `withDescriptors` left out of the daemon; a warning for each request.
    @Test
    void aGuestThatKnowsTooMuchIsToldAndRecovers() throws Exception {
        try (DaemonProcess daemon = serving("--inode-file-handles=never");
                Frontend frontend = daemon.connect()) {
            BriefGuest guest = new BriefGuest(frontend);
            assertEquals(0, guest.errno(BriefGuest.INIT));
            for (int round = 0; round < 3; round++) {
                List<Long> known = lookUpUntilThereIsEnough(guest);

                assertTrue(known.size() > LIMIT / 4 && known.size() < LIMIT, known.size() + " files");
                assertTrue(daemon.descriptors() < LIMIT);
                for (long nodeid : known) {
                    guest.ask(new InodeRequest.Forget(InHeader.of(6, nodeid, 0, 0, 0), new ForgetIn(1)));
                }
            }
            assertEquals(
                    1,
                    daemon.err()
                            .lines()
                            .filter(line -> line.contains("may hold no more"))
                            .count());
            assertTrue(daemon.err().contains("up to " + LIMIT + " open files"), daemon.err());
        }
    }

    /// With file handles there is enough for any number of files.
    ///
    /// Caught: `DAC_READ_SEARCH` taken out of the daemon's capabilities.
    @Test
    void aGuestMayKnowMoreThanTheDaemonMayOpen() throws Exception {
        try (DaemonProcess daemon = serving();
                Frontend frontend = daemon.connect()) {
            BriefGuest guest = new BriefGuest(frontend);
            assertEquals(0, guest.errno(BriefGuest.INIT));

            for (int i = 0; i < FILES; i++) {
                assertEquals(0, lookup(guest, i).errno());
            }
            assertTrue(daemon.descriptors() < LIMIT);
        }
    }

    private DaemonProcess serving(String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--rlimit-nofile=" + LIMIT);
        return DaemonProcess.serving(temporary, share, arguments.toArray(String[]::new));
    }

    private static List<Long> lookUpUntilThereIsEnough(BriefGuest guest) throws Exception {
        List<Long> known = new ArrayList<>();
        while (true) {
            Returned entry = lookup(guest, known.size());
            if (entry.errno() != 0) {
                assertEquals(Errno.ENFILE, entry.errno());
                return known;
            }
            known.add(EntryOut.decode(entry.payload()).nodeid());
        }
    }

    private static Returned lookup(BriefGuest guest, int number) {
        return guest.ask(new InodeRequest.Lookup(BriefGuest.ROOT, Name.of("f" + number)));
    }
}
