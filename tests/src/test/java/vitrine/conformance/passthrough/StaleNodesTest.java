package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.wire.Name;

/// The host removes what the guest has a nodeid of, and makes another of that name.
///
/// fs/namei.c: after `ESTALE`, and after nothing else, the guest's kernel walks the path anew.
class StaleNodesTest extends SharedFolder {

    private static final Name NAME = Name.of("name");
    private static final Name OTHER = Name.of("other");

    private void serve(FileHandleUse use) throws Exception {
        serve(PassthroughOptions.DEFAULT.withFileHandles(use));
    }

    private long makeAndFind(String directory) throws Exception {
        Files.createDirectory(share.resolve(directory));
        return guest.node(directory);
    }

    private void makeAnew(String directory) throws Exception {
        Files.delete(share.resolve(directory));
        Files.createDirectory(share.resolve(directory));
    }

    private FuseRequest tmpfile(long directory) {
        CreateIn in = new CreateIn(Fcntl.O_TMPFILE | Fcntl.O_RDWR, 0600, 0, 0);
        return new FileRequest.Tmpfile(guest.header(directory), in, Name.of("/"), guest.caller.extensions());
    }

    /// Field report: libfuse #636.
    ///
    /// Caught: RENAME's new directory not asked; LOOKUP not among the requests.
    @ParameterizedTest
    @EnumSource
    void namesInADirectoryThatWasMadeAnewAreLookedUpAnew(FileHandleUse use) throws Exception {
        serve(use);
        Files.writeString(share.resolve("name"), "");
        long file = guest.node("name");
        long d = makeAndFind("d");
        makeAnew("d");

        var extensions = guest.caller.extensions();
        CreateIn create = new CreateIn(Fcntl.O_CREAT | Fcntl.O_RDWR, 0600, 0, 0);
        for (FuseRequest request : List.of(
                new InodeRequest.Lookup(guest.header(d), NAME),
                new FileRequest.Create(guest.header(d), create, NAME, extensions),
                new DirectoryRequest.Mkdir(guest.header(d), new MkdirIn(0755, 0), NAME, extensions),
                new DirectoryRequest.Mknod(guest.header(d), new MknodIn(Stat.S_IFREG, 0, 0), NAME, extensions),
                new DirectoryRequest.Symlink(guest.header(d), NAME, OTHER, extensions),
                new DirectoryRequest.Unlink(guest.header(d), NAME),
                new DirectoryRequest.Rmdir(guest.header(d), NAME),
                new DirectoryRequest.Link(guest.header(d), new LinkIn(file), NAME),
                new DirectoryRequest.Rename(guest.header(d), new RenameIn(Guest.ROOT), NAME, OTHER),
                new DirectoryRequest.Rename(guest.header(Guest.ROOT), new RenameIn(d), NAME, OTHER),
                new DirectoryRequest.Rename2(guest.header(d), new Rename2In(Guest.ROOT, 0), NAME, OTHER),
                new DirectoryRequest.Rename2(guest.header(Guest.ROOT), new Rename2In(d, 0), NAME, OTHER))) {
            assertEquals(Errno.ESTALE, guest.errno(request), request::toString);
        }
    }

    /// ext4 says EPERM for O_TMPFILE in a directory that was removed; tmpfs makes the file.
    ///
    /// Caught: ENOENT only; the directory not asked.
    @ParameterizedTest
    @EnumSource
    void soAreDirectoriesForFilesWithoutAName(FileHandleUse use) throws Exception {
        serve(use);
        long gone = makeAndFind("d");
        makeAnew("d");
        long there = guest.node("d");
        guest.libc.fail("openat", Errno.EPERM);

        assertEquals(Errno.ESTALE, guest.errno(tmpfile(gone)));
        assertEquals(Errno.EPERM, guest.errno(tmpfile(there)));
    }

    /// `mv other name` on the host: LINK of what was called `name` is one of what is called so now.
    ///
    /// Caught: LINK's directory asked only.
    @ParameterizedTest
    @EnumSource
    void aFileThatWasReplacedIsLookedUpAnew(FileHandleUse use) throws Exception {
        serve(use);
        Path name = Files.writeString(share.resolve("name"), "old");
        long old = guest.node("name");
        Files.delete(name);
        Files.writeString(name, "new");

        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.link(old, Guest.ROOT, "link")));
        assertEquals(0, Guest.errnoOf(() -> guest.link(guest.node("name"), Guest.ROOT, "link")));
        assertEquals("new", Files.readString(share.resolve("link")));
    }

    /// A directory that is there says which names are not, and the root, of which there is no
    /// other, says so even when it is gone.
    ///
    /// Caught: ESTALE whatever the number of names is; the root asked, too.
    @ParameterizedTest
    @EnumSource
    void aNameThatIsMissingIsNoMoreThanThat(FileHandleUse use) throws Exception {
        serve(use);
        long d = makeAndFind("d");
        long e = makeAndFind("e");

        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.lookup(d, "none")));
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.unlink(d, "none")));
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.rmdir(d, "none")));
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.rename(d, "none", e, "some", 0)));

        Files.delete(share.resolve("d"));
        Files.delete(share.resolve("e"));
        Files.delete(share);
        assertEquals(Errno.ENOENT, Guest.errnoOf(() -> guest.lookup(Guest.ROOT, "none")));
    }

    /// Another error than ENOENT is told as it is.
    ///
    /// Caught: any error taken for ENOENT.
    @Test
    void anotherErrorIsTheHosts() throws Exception {
        serve(FileHandleUse.PREFER);
        long d = makeAndFind("d");
        makeAnew("d");
        guest.libc.fail("mkdirat", Errno.EROFS);

        assertEquals(Errno.EROFS, Guest.errnoOf(() -> guest.mkdir(d, "name", 0755)));
    }
}
