package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.daemon.DaemonProcess;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Name;

/// A guest that takes all it can get.
class GreedyGuestTest {

    @TempDir
    Path temporary;

    private static final int FILES = 1000; // of the daemon

    /// Whoever opens files without end is told that there are enough, and what comes from the front
    /// end meanwhile still arrives with its descriptors.
    ///
    /// Caught: `withDescriptors` left out of the daemon (the queue dies of a class that cannot be
    /// loaded any more, or the process because a message came without its descriptor).
    @Test
    void aGuestThatOpensFilesWithoutEndLeavesDescriptorsForItsFrontEnd() throws Exception {
        Path share = Files.createDirectory(temporary.resolve("share"));
        try (DaemonProcess daemon = daemon(share);
                Attack attack = new Attack(temporary, _ -> new DaemonVictim(daemon))) {
            long file = attack.lookup(Attack.ROOT, "file");
            int opened = 0;
            while (attack.errno(open(attack, file)) == 0) {
                opened++;
            }

            assertEquals(Errno.ENFILE, attack.errno(open(attack, file)));
            assertTrue(opened > FILES / 2 && opened < FILES, opened + " files");
            for (int i = 0; i < 3; i++) {
                ((DaemonVictim) attack.victim).exchangeCall(1);
                attack.verifyNothingIsHarmed();
            }
            attack.init();
            assertEquals(0, attack.errno(open(attack, attack.lookup(Attack.ROOT, "file"))));
        }
    }

    /// A guest that walks a large tree and forgets nothing: what it knows still works, and what it
    /// forgets makes room.
    ///
    /// Caught: `withDescriptors` left out of the daemon (the queue dies); FORGET that does not
    /// close the descriptor.
    @Test
    void aGuestThatLooksUpWithoutEndIsToldThatThereIsEnough() throws Exception {
        Path share = Files.createDirectory(temporary.resolve("share"));
        try (DaemonProcess daemon = daemon(share);
                Attack attack = new Attack(temporary, _ -> new DaemonVictim(daemon))) {
            List<Long> known = new ArrayList<>();
            int errno = 0;
            while (errno == 0) {
                String name = "f" + known.size();
                Files.createFile(share.resolve(name));
                Returned entry = attack.ask(lookup(attack, name));
                errno = entry.errno();
                known.add(errno == 0 ? EntryOut.decode(entry.payload()).nodeid() : 0);
            }

            assertEquals(Errno.ENFILE, errno);
            assertTrue(known.size() > FILES / 2 && known.size() <= FILES, known.size() + " files");
            assertEquals(0, attack.errno(lookup(attack, "f0")));
            attack.ask(new InodeRequest.Forget(attack.header(known.get(1)), new ForgetIn(1)));
            assertEquals(0, attack.errno(lookup(attack, "f" + (known.size() - 1))));
        }
    }

    private DaemonProcess daemon(Path share) {
        return DaemonProcess.servingWithin(
                FILES, temporary.resolve("process"), share, "--keep-listening", "--inode-file-handles=never");
    }

    private static FuseRequest lookup(Attack attack, String name) {
        return new InodeRequest.Lookup(attack.header(Attack.ROOT), Name.of(name));
    }

    private static FuseRequest open(Attack attack, long file) {
        return new FileRequest.Open(attack.header(file), new OpenIn(Fcntl.O_RDONLY, 0));
    }
}
