package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.RenameIn;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Numbers that the guest was never given, gave back already, or uses for something else.
class NodeidAndHandleTest {

    private static final Name NAME = Name.of("file");

    @TempDir
    Path temporary;

    /// A nodeid is good from the reply that tells it to the FORGET that takes it back.
    ///
    /// Caught: `InodeTable.hold` that answers the root for a nodeid it does not know.
    @ParameterizedTest
    @EnumSource
    void aNodeidThatWasNeverGivenIsStale(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            var before = attack.shareNow();

            for (long nodeid : new long[] {0, 2, 3, 1000, 1L << 32 | 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
                for (FuseRequest request : aboutAnInode(attack, nodeid)) {
                    assertEquals(Errno.ESTALE, attack.errno(request), request::toString);
                }
            }

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// A handle is good for the nodeid that was opened, for requests of its kind, until it is
    /// released.
    ///
    /// Caught: `HandleTable.file` without the comparison of nodeids; RELEASE that leaves the handle
    /// in the table.
    @ParameterizedTest
    @EnumSource
    void aHandleIsGoodForWhatItWasGivenForOnly(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long dir = attack.lookup(Attack.ROOT, "dir");
            long inner = attack.lookup(dir, "inner");
            long open = attack.open(file, Fcntl.O_RDWR);
            long opendir = OpenOut.decode(attack.ask(new DirectoryRequest.Opendir(attack.header(dir), new OpenIn(0, 0)))
                            .payload())
                    .fh();
            var before = attack.shareNow();

            verifyEach(Errno.EBADF, attack, withHandle(attack, file, open + 1000));
            verifyEach(Errno.EBADF, attack, withHandle(attack, file, 0));
            verifyEach(Errno.EBADF, attack, withHandle(attack, file, -1));
            verifyEach(Errno.EBADF, attack, withHandle(attack, inner, open)); // another inode's
            verifyEach(Errno.EBADF, attack, withHandle(attack, 77, open)); // of an inode that there is none of
            verifyEach(Errno.EBADF, attack, withHandle(attack, dir, opendir)); // a directory's
            verifyEach(Errno.EBADF, attack, withDirectoryHandle(attack, file, open)); // a file's
            verifyEach(Errno.EBADF, attack, withDirectoryHandle(attack, dir, opendir + 1000));
            verifyEach(Errno.EBADF, attack, withDirectoryHandle(attack, Attack.ROOT, opendir));

            FuseRequest release = new FileRequest.Release(attack.header(file), new ReleaseIn(open, 0, 0, 0));
            assertEquals(0, attack.errno(release));
            assertEquals(Errno.EBADF, attack.errno(release));
            verifyEach(Errno.EBADF, attack, withHandle(attack, file, open));
            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// FORGET is not answered, so a guest that forgets too much is not told. It loses what it
    /// forgot, and the root cannot be forgotten.
    ///
    /// Field report: probe: FORGET of the root.
    ///
    /// Caught: `InodeTable.forget` without its exception for the root.
    @ParameterizedTest
    @EnumSource
    void whoForgetsTooMuchLosesIt(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long open = attack.open(file, Fcntl.O_RDWR);
            ReadIn everything = new ReadIn(open, 0, 2000, 0, 0, 0);

            for (long nlookup : new long[] {0, 2, 1000, -1}) {
                for (long nodeid : new long[] {Attack.ROOT, file, 0, 99, -1}) {
                    verifyNotAnswered(attack, new InodeRequest.Forget(attack.header(nodeid), new ForgetIn(nlookup)));
                    verifyNotAnswered(
                            attack,
                            new InodeRequest.BatchForget(attack.header(0), List.of(new ForgetOne(nodeid, nlookup))));
                }
            }

            assertEquals(
                    Errno.ESTALE, attack.errno(new InodeRequest.Getattr(attack.header(file), new GetattrIn(0, 0))));
            Returned read = attack.ask(new FileRequest.Read(attack.header(file), everything));
            assertEquals(16 + 1000, read.written()); // what is open stays so until RELEASE
            assertTrue(attack.lookup(Attack.ROOT, "file") >= file); // it is the same file, and may be remembered
            attack.verifyNothingIsHarmed();
        }
    }

    /// A FIFO without a writer would keep the queue's thread for ever, and a device node would be
    /// the host's device.
    ///
    /// Caught: `HostFlags.requireRegular` that refuses directories only (the device is opened).
    @ParameterizedTest
    @EnumSource
    void onlyARegularFileIsOpened(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            int nullDevice = 1 << 8 | 3;
            for (int type : new int[] {Stat.S_IFIFO, Stat.S_IFSOCK, Stat.S_IFCHR, Stat.S_IFBLK}) {
                Name name = Name.of("special" + type);
                MknodIn in = new MknodIn(type | 0666, nullDevice, 0);
                assertEquals(0, attack.errno(new DirectoryRequest.Mknod(attack.header(1), in, name)));
            }
            Map<String, Integer> refusals = Map.of(
                    "special" + Stat.S_IFIFO,
                    Errno.EBADF,
                    "special" + Stat.S_IFSOCK,
                    Errno.EBADF,
                    "special" + Stat.S_IFCHR,
                    Errno.EBADF,
                    "special" + Stat.S_IFBLK,
                    Errno.EBADF,
                    "link",
                    Errno.EBADF,
                    "dir",
                    Errno.EISDIR);
            for (Map.Entry<String, Integer> refusal : refusals.entrySet()) {
                assertTimeout(
                        Duration.ofSeconds(10), () -> verifyNotOpened(attack, refusal.getKey(), refusal.getValue()));
            }
            attack.verifyNothingIsHarmed();
        }
    }

    private static void verifyNotOpened(Attack attack, String name, int errno) throws Exception {
        long nodeid = attack.lookup(Attack.ROOT, name);
        int found = errno == Errno.EBADF ? Errno.ESTALE : errno; // instead of a file: Linux looks it up anew
        for (int flags : new int[] {Fcntl.O_RDONLY, Fcntl.O_WRONLY, Fcntl.O_RDWR | Fcntl.O_TRUNC, Fcntl.O_PATH}) {
            CreateIn create = new CreateIn(flags | Fcntl.O_CREAT, 0644, 0, 0);
            OpenIn open = new OpenIn(flags, 0);
            assertEquals(errno, attack.errno(new FileRequest.Open(attack.header(nodeid), open)), name);
            assertEquals(found, attack.errno(new FileRequest.Create(attack.header(1), create, Name.of(name))), name);
        }
    }

    private static void verifyEach(int errno, Attack attack, List<FuseRequest> requests) {
        for (FuseRequest request : requests) {
            assertEquals(errno, attack.errno(request), request::toString);
        }
    }

    private static void verifyNotAnswered(Attack attack, FuseRequest request) {
        Returned returned = attack.ask(request);
        assertTrue(returned.isEmpty(), request + ": " + returned);
    }

    private static List<FuseRequest> aboutAnInode(Attack attack, long nodeid) {
        CreateIn create = new CreateIn(Fcntl.O_RDWR, 0644, 0, 0);
        return List.of(
                new InodeRequest.Lookup(attack.header(nodeid), NAME),
                new InodeRequest.Getattr(attack.header(nodeid), new GetattrIn(0, 0)),
                new InodeRequest.Readlink(attack.header(nodeid), Buffers.EMPTY),
                new InodeRequest.Statfs(attack.header(nodeid)),
                new InodeRequest.Syncfs(attack.header(nodeid), new SyncfsIn()),
                new DirectoryRequest.Symlink(attack.header(nodeid), NAME, NAME),
                new DirectoryRequest.Mknod(attack.header(nodeid), new MknodIn(Stat.S_IFREG, 0, 0), NAME),
                new DirectoryRequest.Mkdir(attack.header(nodeid), new MkdirIn(0755, 0), NAME),
                new DirectoryRequest.Unlink(attack.header(nodeid), NAME),
                new DirectoryRequest.Rmdir(attack.header(nodeid), NAME),
                new DirectoryRequest.Rename(attack.header(nodeid), new RenameIn(1), NAME, NAME),
                new DirectoryRequest.Rename(attack.header(1), new RenameIn(nodeid), NAME, NAME),
                new DirectoryRequest.Link(attack.header(nodeid), new LinkIn(1), NAME),
                new DirectoryRequest.Link(attack.header(1), new LinkIn(nodeid), NAME),
                new DirectoryRequest.Opendir(attack.header(nodeid), new OpenIn(0, 0)),
                new FileRequest.Open(attack.header(nodeid), new OpenIn(0, 0)),
                new FileRequest.Create(attack.header(nodeid), create, NAME),
                new XattrRequest.Getxattr(attack.header(nodeid), new GetxattrIn(0), NAME),
                new XattrRequest.Listxattr(attack.header(nodeid), new GetxattrIn(0)),
                new XattrRequest.Removexattr(attack.header(nodeid), NAME));
    }

    private static List<FuseRequest> withHandle(Attack attack, long nodeid, long fh) {
        CopyFileRangeIn toItself = new CopyFileRangeIn(fh, 0, nodeid, fh, 500, 10, 0);
        return List.of(
                new FileRequest.Read(attack.header(nodeid), new ReadIn(fh, 0, 10, 0, 0, 0)),
                new FileRequest.Write(
                        attack.header(nodeid), new WriteIn(fh, 0, 1, 0, 0, 0), Buffers.ofBytes(new byte[1])),
                new FileRequest.Flush(attack.header(nodeid), new FlushIn(fh, 0)),
                new FileRequest.Fsync(attack.header(nodeid), new FsyncIn(fh, 0)),
                new FileRequest.Fallocate(attack.header(nodeid), new FallocateIn(fh, 0, 10, 0)),
                new FileRequest.Lseek(attack.header(nodeid), new LseekIn(fh, 0, Fcntl.SEEK_DATA)),
                new FileRequest.CopyFileRange(attack.header(nodeid), toItself),
                new FileRequest.CopyFileRange64(attack.header(nodeid), toItself));
    }

    private static List<FuseRequest> withDirectoryHandle(Attack attack, long nodeid, long fh) {
        ReadIn all = new ReadIn(fh, 0, 4096, 0, 0, 0);
        return List.of(
                new DirectoryRequest.Readdir(attack.header(nodeid), all),
                new DirectoryRequest.Readdirplus(attack.header(nodeid), all),
                new DirectoryRequest.Fsyncdir(attack.header(nodeid), new FsyncIn(fh, 0)));
    }
}
