package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.struct.OpenIn;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;

/// A guest that takes all it can get.
class GreedyGuestTest {

    @TempDir
    Path temporary;

    private static final int FILES = 1000; // of the daemon

    /// Whoever opens files without end is told that there are enough, and what comes from the front
    /// end meanwhile still arrives with its descriptors.
    ///
    /// Caught: `limitOpenFiles` not called by the daemon (the queue dies of a class that cannot be
    /// loaded any more, or the process because a message came without its descriptor).
    @Test
    void aGuestThatOpensFilesWithoutEndLeavesDescriptorsForItsFrontEnd() throws Exception {
        Path share = Files.createDirectory(temporary.resolve("share"));
        try (DaemonProcess daemon = DaemonProcess.servingWithin(FILES, temporary.resolve("process"), share);
                Attack attack = new Attack(temporary, _ -> new DaemonVictim(daemon))) {
            long file = attack.lookup(Attack.ROOT, "file");
            int opened = 0;
            while (attack.errno(open(attack, file)) == 0) {
                opened++;
            }

            assertEquals(Errno.EMFILE, attack.errno(open(attack, file)));
            assertTrue(opened > FILES / 2 && opened < FILES, opened + " files");
            for (int i = 0; i < 3; i++) {
                ((DaemonVictim) attack.victim).exchangeCall(1);
                attack.verifyNothingIsHarmed();
            }
            attack.init();
            assertEquals(0, attack.errno(open(attack, attack.lookup(Attack.ROOT, "file"))));
        }
    }

    private static FuseRequest open(Attack attack, long file) {
        return new FileRequest.Open(attack.header(file), new OpenIn(Fcntl.O_RDONLY, 0));
    }
}
