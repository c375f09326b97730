package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Names that are none, and names that are only strange. A name is one component of a path; whoever
/// hands it to the host as a path gives the guest the host's whole tree.
class NameTest {

    private static final Name GOOD = Name.of("file");

    @TempDir
    Path temporary;

    /// Every request that takes a name, with each bad name in each place, on a directory and on the
    /// root. Neither the share nor what is beside it may change.
    ///
    /// Field report: CVE-2026-47243.
    ///
    /// Caught: `Names.checked` without its question for `/`; without that for `..`; RENAME that
    /// checks its old name only.
    @ParameterizedTest
    @EnumSource
    void aNameThatLeadsElsewhereIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long dir = attack.lookup(Attack.ROOT, "dir");
            var before = attack.shareNow();

            for (String text : List.of(
                    "",
                    ".",
                    "..",
                    "/",
                    "a/b",
                    "dir/inner",
                    "../outside/new",
                    "../outside/secret",
                    "./new",
                    "new/",
                    attack.outside + "/new",
                    attack.outside + "/secret",
                    "link/..",
                    "dir/../../outside/dir")) {
                for (long directory : new long[] {Attack.ROOT, dir}) {
                    for (FuseRequest request : withName(attack, directory, file, Name.of(text))) {
                        assertEquals(Errno.EINVAL, attack.errno(request), request::toString);
                    }
                }
            }

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// limits.h: NAME_MAX is 255 bytes.
    ///
    /// Caught: `Names.LONGEST` that is 254; a name that is too long called EINVAL.
    @ParameterizedTest
    @EnumSource
    void aNameThatIsTooLongIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            var before = attack.shareNow();
            Name longest = Name.of("x".repeat(255));
            assertEquals(Errno.ENOENT, attack.errno(new InodeRequest.Lookup(attack.header(1), longest)));

            for (int length : new int[] {256, 257, 1000, 4000}) {
                Name name = Name.of("x".repeat(length));
                for (FuseRequest request : withName(attack, Attack.ROOT, file, name)) {
                    assertEquals(Errno.ENAMETOOLONG, attack.errno(request), request::toString);
                }
                assertEquals(Errno.ENAMETOOLONG, attack.errno(new InodeRequest.Lookup(attack.header(1), name)));
            }

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// LOOKUP alone may ask for `.` and `..`, for a host that exports the file system by NFS. Above
    /// the root is the root.
    ///
    /// Caught: `..` of the root looked up on the host.
    @ParameterizedTest
    @EnumSource
    void lookupDoesNotLeadOutOfTheShare(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long dir = attack.lookup(Attack.ROOT, "dir");

            assertEquals(Attack.ROOT, attack.lookup(Attack.ROOT, "."));
            assertEquals(Attack.ROOT, attack.lookup(Attack.ROOT, ".."));
            assertEquals(Attack.ROOT, attack.lookup(dir, ".."));
            assertEquals(dir, attack.lookup(dir, "."));
            for (String name : List.of("", "/", "/etc", "../outside", "dir/inner", "link/x")) {
                int errno = attack.errno(new InodeRequest.Lookup(attack.header(1), Name.of(name)));
                assertEquals(Errno.EINVAL, errno, name);
            }
            long link = attack.lookup(Attack.ROOT, "link"); // it leads out, and the guest may follow it in its own tree
            assertEquals(Errno.ENOTDIR, attack.errno(new InodeRequest.Lookup(attack.header(link), GOOD)));
            attack.verifyNothingIsHarmed();
        }
    }

    /// A name is bytes. What is no UTF-8 is a name all the same.
    ///
    /// Caught: names that go through a `String`.
    @ParameterizedTest
    @EnumSource
    void aNameMayBeAnyBytes(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (byte[] bytes : List.of(
                    new byte[] {(byte) 0xff, (byte) 0xfe},
                    new byte[] {(byte) 0xc3},
                    new byte[] {1, 10, 13, 27, 127},
                    "...".getBytes(StandardCharsets.UTF_8),
                    "-rf *".getBytes(StandardCharsets.UTF_8),
                    "\\..\\x".getBytes(StandardCharsets.UTF_8))) {
                Name name = Name.of(bytes);
                MkdirIn mode = new MkdirIn(0755, 0);
                assertEquals(0, attack.errno(new DirectoryRequest.Mkdir(attack.header(1), mode, name)), name::toString);
                assertEquals(0, attack.errno(new InodeRequest.Lookup(attack.header(1), name)), name::toString);
                assertEquals(0, attack.errno(new DirectoryRequest.Rmdir(attack.header(1), name)), name::toString);
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// Attributes have names too, of a kind of their own; the host says which it knows.
    ///
    /// Caught: an attribute's name of more than 255 bytes refused with EIO.
    @ParameterizedTest
    @EnumSource
    void aStrangeNameOfAnAttributeIsTheHostsToRefuse(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            for (String text : List.of(
                    "",
                    "x",
                    "user",
                    "user.",
                    "nothing.of.this.kind",
                    "system.nothing",
                    "/etc/passwd",
                    "../x",
                    "user." + "x".repeat(251),
                    "user." + "x".repeat(5000),
                    "x".repeat(10_000))) {
                Name name = Name.of(text);
                SetxattrIn in = new SetxattrIn(3, 0, false, 0);
                int set = attack.errno(
                        new XattrRequest.Setxattr(attack.header(file), in, name, Buffers.ofBytes(new byte[3])));
                int get = attack.errno(new XattrRequest.Getxattr(attack.header(file), new GetxattrIn(100), name));
                int remove = attack.errno(new XattrRequest.Removexattr(attack.header(file), name));
                for (int errno : new int[] {set, get, remove}) {
                    assertNotEquals(0, errno, text);
                    assertNotEquals(Errno.EIO, errno, text);
                }
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// Each request that creates, removes or moves a name.
    private static List<FuseRequest> withName(Attack attack, long directory, long file, Name name) {
        int create = Fcntl.O_RDWR | Fcntl.O_CREAT;
        return List.of(
                new DirectoryRequest.Symlink(attack.header(directory), name, Name.of("target")),
                new DirectoryRequest.Mknod(attack.header(directory), new MknodIn(Stat.S_IFREG | 0644, 0, 0), name),
                new DirectoryRequest.Mkdir(attack.header(directory), new MkdirIn(0755, 0), name),
                new DirectoryRequest.Unlink(attack.header(directory), name),
                new DirectoryRequest.Rmdir(attack.header(directory), name),
                new DirectoryRequest.Rename(attack.header(directory), new RenameIn(directory), name, Name.of("new")),
                new DirectoryRequest.Rename(attack.header(1), new RenameIn(directory), GOOD, name),
                new DirectoryRequest.Rename2(attack.header(directory), new Rename2In(directory, 0), name, Name.of("n")),
                new DirectoryRequest.Rename2(attack.header(1), new Rename2In(directory, 0), GOOD, name),
                new DirectoryRequest.Rename2(attack.header(1), new Rename2In(directory, 2), GOOD, name),
                new DirectoryRequest.Link(attack.header(directory), new LinkIn(file), name),
                new FileRequest.Create(attack.header(directory), new CreateIn(create, 0644, 0, 0), name));
    }
}
