package vitrine.conformance.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.Opcode;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.translation.IdMap;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileHandle;
import vitrine.posix.Stat;

/// What is agreed on in INIT or by an option, with this host's kernel as the guest's: programs on
/// the mount see what those on the shared directory see.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ProtocolBridgeTest extends MountedFolder {

    private final Set<Opcode> asked = Collections.synchronizedSet(EnumSet.noneOf(Opcode.class));

    private void mount(PassthroughOptions options) throws Exception {
        mount(options, request -> asked.add(request.opcode()), 2);
    }

    private static String run(Path in, String shell) throws Exception {
        Process process = new ProcessBuilder("sh", "-ec", shell)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> shell + ": " + output);
        return output;
    }

    /// ACLs that are set through the mount are the host's, are inherited, and count.
    ///
    /// Caught: POSIX_ACL left out of what INIT agrees on.
    @Test
    void accessControlLists() throws Exception {
        Needs.tool("setfacl", "acl");
        Needs.tool("setpriv", "util-linux");
        mount(PassthroughOptions.DEFAULT.with(Feature.XATTR, Feature.POSIX_ACL));
        run(folder, "chmod 755 . share mnt");
        run(mountPoint, "mkdir d; chmod 700 d; setfacl -m u:1234:rwx,d:u:1234:rw d; umask 077; echo x > d/f");

        String acls = run(mountPoint, "getfacl -n d d/f");
        assertEquals(run(share, "getfacl -n d d/f"), acls);
        assertTrue(acls.contains("default:user:1234:rw-"), acls);
        assertEquals("x\n", run(mountPoint, "setpriv --reuid=1234 --regid=1234 --clear-groups cat d/f"));
        run(mountPoint, "! setpriv --reuid=1235 --regid=1235 --clear-groups cat d/f 2>&1");
    }

    /// Users of the mount are others on the host.
    ///
    /// Caught: owners not translated in SETATTR.
    @Test
    void translatedUsersAndGroups() throws Exception {
        IdTranslation ids = new IdTranslation(
                IdMap.parse(List.of("map:1000:101000:10", "map:0:0:1")),
                IdMap.parse(List.of("map:1000:201000:10", "map:0:0:1")));
        mount(PassthroughOptions.DEFAULT.withIds(ids));
        run(mountPoint, "touch chowned; chown 1001:1002 chowned; chmod 777 .");
        run(mountPoint, "setpriv --reuid=1003 --regid=1004 --clear-groups touch made");

        assertEquals("1001:1002\n1003:1004\n", run(mountPoint, "stat -c %u:%g chowned made"));
        assertEquals("101001:201002\n101003:201004\n", run(share, "stat -c %u:%g chowned made"));
    }

    /// The host keeps what belongs to the guest's security modules under other names.
    ///
    /// Caught: LISTXATTR that is not mapped.
    @Test
    void mappedAttributes() throws Exception {
        Needs.tool("setfattr", "attr");
        String rules = ":map::user.virtiofs.:";
        mount(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(rules)));
        run(mountPoint, "touch f; setfattr -n trusted.label -v guest f; setfattr -n user.own -v mine f");

        assertEquals(
                "# file: f\ntrusted.label=\"guest\"\nuser.own=\"mine\"\n\n",
                run(mountPoint, "getfattr -d -m - f | sort | sed '/^$/d'; echo"));
        String onHost = run(share, "getfattr -d -m - f");
        assertTrue(onHost.contains("user.virtiofs.trusted.label=\"guest\""), onHost);
    }

    /// When a file was made, and its flags.
    ///
    /// Caught: STATX answered with ENOSYS; IOCTL that sets no flags.
    @Test
    void birthAndFlags() throws Exception {
        Needs.tool("chattr", "e2fsprogs");
        mount(PassthroughOptions.DEFAULT);
        run(mountPoint, "touch f; chattr +Ad f");

        assertEquals(run(share, "lsattr f"), run(mountPoint, "lsattr f"));
        assertTrue(run(share, "lsattr f").matches("[^ ]*d[^ ]*A.*\\s*"), run(share, "lsattr f"));
        String birth = run(mountPoint, "stat -c %w f");
        Needs.that(asked.contains(Opcode.STATX), "needs births in FUSE: Linux 6.6 or newer");
        assertEquals(run(share, "stat -c %w f"), birth);
    }

    /// A file without a name is nowhere to be seen.
    ///
    /// Caught: TMPFILE answered with ENOSYS.
    @Test
    void aFileWithoutAName() throws Exception {
        mount(PassthroughOptions.DEFAULT);
        try (Fd unnamed = SYS.openPath(mountPoint.toString(), Fcntl.O_TMPFILE | Fcntl.O_RDWR)) {
            assertEquals(0, SYS.statx(unnamed, Stat.STATX_BASIC_STATS).nlink());
            assertEquals("", run(share, "ls -A"));
        }
    }

    /// A handle finds its file when the kernel has dropped all that it knew of it, whatever it is
    /// called by then.
    ///
    /// Caught: LOOKUP of `.` that knows no forgotten file; EXPORT_SUPPORT not agreed on.
    @Test
    void handlesOfForgottenFiles() throws Exception {
        mount(PassthroughOptions.DEFAULT);
        run(mountPoint, "mkdir d; echo inner > d/f");
        FileHandle handle;
        try (Fd file = SYS.openPath(mountPoint.resolve("d/f").toString(), Fcntl.O_PATH)) {
            handle = SYS.fileHandle(file);
        }
        run(share, "mv d moved; mv moved/f moved/g; echo 2 > /proc/sys/vm/drop_caches");

        try (Fd root = SYS.openPath(mountPoint.toString(), Fcntl.O_RDONLY);
                Fd file = SYS.openByHandle(root, handle, Fcntl.O_RDONLY)) {
            assertEquals("inner\n", Files.readString(Path.of("/proc/self/fd/" + file.number())));
        }
    }
}
