package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.daemon.JarredClassPath;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Capability;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;

/// A thread that has made a file for somebody keeps their groups. Nobody may notice.
///
/// Here `MEMBER` makes a file, in group 2222 by the way, and then somebody asks for what the host
/// decides by groups.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LastCallersGroupsTest extends SharedFolder {

    private static final Caller MEMBER = Caller.USER.in(2222);
    private static final Caller STRANGER = new Caller(1001, 1001, List.of());
    private static final int MARK = 02767; // stays with a change by a member of the file's group

    private int made;

    @BeforeEach
    void serve() throws Exception {
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        serve(PassthroughOptions.DEFAULT.with(Feature.XATTR, Feature.POSIX_ACL));
    }

    private void memberMakesAFile() throws Exception {
        guest.caller = MEMBER;
        guest.mkdir(Guest.ROOT, "made" + made++, 0755);
    }

    private long marked() throws Exception {
        Path file = share.resolve("marked");
        Files.writeString(file, "data");
        Files.setAttribute(file, "unix:uid", 1000);
        Files.setAttribute(file, "unix:gid", 2222);
        Files.setAttribute(file, "unix:mode", MARK);
        return guest.node("marked");
    }

    private int mode() throws IOException {
        return (Integer) Files.getAttribute(share.resolve("marked"), "unix:mode") & 07777;
    }

    /// Caught: `withoutFsetid` that keeps the groups.
    @Test
    void aWriteByAStrangerTakesTheMark() throws Exception {
        long node = marked();
        long fh = guest.open(node, Fcntl.O_RDWR);
        memberMakesAFile();
        guest.caller = STRANGER;
        guest.write(node, fh, 0, "new", WriteFlag.KILL_SUIDGID);
        assertEquals(0767, mode());
    }

    /// Caught: as above.
    @Test
    void soDoTruncationAndTheSettingOfAnAcl() throws Exception {
        long node = marked();
        memberMakesAFile();
        guest.caller = STRANGER;
        guest.setattr(node, Setattr.size(1, SetattrFlag.KILL_SUIDGID));
        assertEquals(0767, mode());

        guest.setattr(node, Setattr.mode(MARK));
        memberMakesAFile();
        guest.caller = Caller.USER; // the owner, who is in no such group
        new Xattrs(guest).set(node, Acl.ACCESS, new Acl(7, 6, 1234, 6, 7, 7), false);
        assertEquals(0, mode() & 02000);
    }

    /// The guest's kernel has decided about a new mode. The host's would take the mark away from
    /// who is not in the file's group, were it not for `CAP_FSETID`.
    @Test
    void whatTheGuestHasDecidedIsDone() throws Exception {
        long node = marked();
        guest.caller = new Caller(1001, 1001, List.of(7));
        guest.mkdir(Guest.ROOT, "made", 0755);
        guest.caller = Caller.USER;
        guest.setattr(node, Setattr.mode(MARK | 0770));
        assertEquals(MARK | 0770, mode());
        guest.setattr(node, Setattr.owner(1000, 3333, SetattrFlag.GID));
        assertEquals(3333, guest.getattr(node).gid());
    }

    /// A daemon without `CAP_FSETID` is in no group but its own, whoever asked before.
    ///
    /// Caught: the groups left although a capability is missing.
    @Test
    void aDaemonWithoutACapabilityIsInNobodysGroup() throws Exception {
        Set<Capability> most = EnumSet.allOf(Capability.class);
        most.remove(Capability.FSETID);
        Capability.keepOnly(most, guest.sys); // this thread, which ends with the test
        long node = marked();
        guest.setattr(node, Setattr.mode(MARK));
        int before = mode();
        memberMakesAFile();
        guest.caller = Caller.SUPERUSER;
        guest.setattr(node, Setattr.mode(MARK));
        assertEquals(0767, before);
        assertEquals(0767, mode());
    }

    /// In a user namespace root's capabilities do not count for a file whose owner has no id there,
    /// and by its own group the daemon may read what it may not by another.
    ///
    /// Caught: the groups left in a user namespace.
    @Test
    void inAUserNamespaceTheDaemonHasItsOwnGroupBack() throws Exception {
        Needs.tool("unshare", "util-linux");
        Path foreign = Files.writeString(share.resolve("foreign"), "data");
        Files.setAttribute(foreign, "unix:uid", 20_000); // who is nobody there
        Files.setAttribute(foreign, "unix:mode", 0040);
        Process inside = new ProcessBuilder(
                        "unshare",
                        "--user",
                        "sh",
                        "-c",
                        "read mapped && exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        JarredClassPath.get(),
                        Inside.class.getName(),
                        share.toString())
                .redirectErrorStream(true)
                .start();
        Path process = Path.of("/proc", Long.toString(inside.pid()));
        while (Files.isSameFile(process.resolve("ns/user"), Path.of("/proc/self/ns/user"))) {
            Thread.sleep(10);
        }
        Files.writeString(process.resolve("uid_map"), "0 0 10000");
        Files.writeString(process.resolve("gid_map"), "0 0 10000");
        inside.outputWriter().append("go\n").close();

        String said = new String(inside.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, inside.waitFor(), said);
        assertTrue(said.endsWith("read 0, read 0\n"), said);
    }

    /// What is done in the user namespace.
    static final class Inside {

        private Inside() {}

        public static void main(String... arguments) throws Exception {
            try (Guest guest = new Guest(Path.of(arguments[0]), PassthroughOptions.DEFAULT)) {
                long foreign = guest.node("foreign");
                int before = Guest.errnoOf(() -> guest.open(foreign, Fcntl.O_RDONLY));
                guest.caller = MEMBER;
                guest.mkdir(Guest.ROOT, "made", 0755);
                int after = Guest.errnoOf(() -> guest.open(foreign, Fcntl.O_RDONLY));
                System.out.printf("read %d, read %d%n", before, after);
            }
        }
    }

    /// Whichever of the calls fails by which a thread becomes somebody, it is the daemon
    /// afterwards.
    ///
    /// Caught: a thread that stays what it was when the call failed.
    @Test
    void whateverFailsTheThreadIsTheDaemonAgain() throws Exception {
        Path closed = Files.createDirectory(share.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(closed.resolve("f"), "data");
        long node = guest.node("closed");
        int failed = 0;
        for (int nth = 1; nth <= 6; nth++) {
            guest.caller = nth % 2 == 0 ? STRANGER : MEMBER; // all calls are needed
            guest.libc.failOnce("syscall", nth, Errno.ENOMEM);
            String name = "made" + nth;
            failed += Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, name, 0755)) == 0 ? 0 : 1;
            guest.libc.failNothing();
            guest.lookup(node, "f");
            Files.writeString(share.resolve("by root " + nth), "");
        }
        assertTrue(failed > 2, failed + " failed");
    }
}
