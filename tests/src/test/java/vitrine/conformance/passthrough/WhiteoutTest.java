package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.fuse.flag.InitFlag;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Credentials;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// What a rename leaves behind for an overlay file system (rename(2): RENAME_WHITEOUT): a device
/// 0:0 that belongs to whoever has renamed, without a right to make devices.
class WhiteoutTest extends SharedFolder {

    @BeforeEach
    void serve() throws Exception {
        Files.setAttribute(share, "unix:mode", 0755);
        serve(PassthroughOptions.DEFAULT);
    }

    private Path directory(String name, int gid, int mode) throws Exception {
        Path directory = Files.createDirectory(share.resolve(name));
        Files.setAttribute(directory, "unix:gid", gid);
        Files.setAttribute(directory, "unix:mode", mode);
        Files.writeString(directory.resolve("a"), "data");
        return directory;
    }

    private String described(Path directory) throws Exception {
        try (Fd fd = guest.sys.openPath(directory.toString(), Fcntl.O_PATH)) {
            FileStatus status = guest.sys.statxAt(fd, Name.of("a"), Stat.STATX_BASIC_STATS);
            return "%o of %d:%d, device %d".formatted(status.mode(), status.uid(), status.gid(), status.rdev());
        }
    }

    private void renameOnTheHost(Path directory, Caller caller) throws Exception {
        Thread process = Thread.ofPlatform().start(() -> {
            try (Fd fd = guest.sys.openPath(directory.toString(), Fcntl.O_PATH)) {
                Credentials credentials = new Credentials(guest.sys);
                int[] groups =
                        caller.groups().stream().mapToInt(Integer::intValue).toArray();
                credentials.become(caller.uid(), caller.gid(), groups);
                guest.sys.renameat2(fd, Name.of("a"), fd, Name.of("b"), Fcntl.RENAME_WHITEOUT);
                credentials.daemon();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        process.join();
    }

    /// The same as on the host, for everybody and in every directory that lets them: one of all,
    /// one that gives its group away, one of a group that they are in by the way, which a rename
    /// does not tell the daemon.
    ///
    /// Field report: virtiofsd e870433.
    ///
    /// Caught: the whiteout made as the daemon; the host asked whether the caller may.
    @ParameterizedTest
    @CsvSource({"0, 0777", "2000, 02777", "2000, 0770", "2000, 03777"})
    void aWhiteoutBelongsToWhoeverHasRenamed(int gid, String octal) throws Exception {
        int mode = Integer.parseInt(octal, 8);
        int number = 0;
        for (Caller caller : List.of(Caller.USER.in(2000), Caller.SUPERUSER)) {
            Path inGuest = directory("guest" + number, gid, mode);
            Path onHost = directory("host" + number++, gid, mode);
            for (Path directory : List.of(inGuest, onHost)) {
                Files.setAttribute(directory.resolve("a"), "unix:uid", caller.uid()); // for sticky ones
            }
            renameOnTheHost(onHost, caller);
            long node = guest.node(inGuest.getFileName().toString());

            guest.caller = caller;
            guest.rename(node, "a", node, "b", Fcntl.RENAME_WHITEOUT);
            guest.caller = Caller.SUPERUSER;

            assertEquals(described(onHost), described(inGuest));
            assertEquals("data", Files.readString(inGuest.resolve("b")));
        }
    }

    /// It does not matter whether groups were agreed to come along when something is made: with a
    /// rename they do not.
    ///
    /// Caught: the host asked whether the caller may.
    @Test
    void groupsThatWereAgreedOnDoNotMatter() throws Exception {
        directory("d", 2000, 0770);
        for (long offered : new long[] {Guest.ALL_FLAGS, Guest.without(InitFlag.CREATE_SUPP_GROUP)}) {
            guest.init(38, offered);
            long node = guest.node("d");
            guest.caller = Caller.USER;
            assertEquals(0, Guest.errnoOf(() -> guest.rename(node, "a", node, "b", Fcntl.RENAME_WHITEOUT)));
            guest.caller = Caller.SUPERUSER;
            guest.rename(node, "b", node, "a", 0);
        }
    }

    /// The next request is served as the daemon again, also after a failure.
    ///
    /// Caught: an identity kept.
    @Test
    void theNextRequestIsServedAsTheDaemonAgain() throws Exception {
        directory("d", 0, 0700);
        long node = guest.node("d");
        guest.caller = Caller.USER;

        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.rename(node, "none", node, "b", Fcntl.RENAME_WHITEOUT)));

        assertEquals(0, Guest.errnoOf(() -> guest.rename(node, "a", node, "b", 0)));
        assertEquals(0, Guest.errnoOf(() -> guest.lookup(node, "b")));
    }
}
