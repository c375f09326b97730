package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static vitrine.posix.Syscalls.checked;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import vitrine.wire.Name;

/// System calls on the names in a directory.
///
/// A name is one component below an open directory. The kernel would resolve more than that; the
/// caller has checked that it is neither a path nor `..`.
public sealed interface NameCalls permits Syscalls {

    /// The C library that the calls are made through.
    Libc libc();

    /// Makes a directory.
    default void mkdirat(Fd dir, Name name, int mode) throws ErrnoException {
        checked("mkdirat", libc().mkdirat(dir.number(), Scratch.mine().name("mkdirat", name), mode));
    }

    /// Makes a file of any kind but directory and symbolic link.
    ///
    /// @param mode the type (`S_IF…` of [Stat]) and the permissions
    /// @param device the device number of a device file, as [FileStatus#deviceNumber] packs it
    default void mknodat(Fd dir, Name name, int mode, long device) throws ErrnoException {
        checked("mknodat", libc().mknodat(dir.number(), Scratch.mine().name("mknodat", name), mode, device));
    }

    /// Makes a symbolic link `name` that says `target`, which may be any text.
    default void symlinkat(Name target, Fd dir, Name name) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long text = scratch.name("symlinkat", target);
        checked("symlinkat", libc().symlinkat(text, dir.number(), scratch.secondName("symlinkat", name)));
    }

    /// Gives the file of `pathFd` one more name. Of a symbolic link, the link itself gets it.
    ///
    /// By way of `/proc/self/fd`: `AT_EMPTY_PATH` would need `CAP_DAC_READ_SEARCH`.
    default void linkFd(Fd pathFd, Fd newDir, Name newName) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long path = scratch.procPath(pathFd);
        long name = scratch.secondName("linkat", newName);
        checked("linkat", libc().linkat(Fcntl.AT_FDCWD, path, newDir.number(), name, Fcntl.AT_SYMLINK_FOLLOW));
    }

    /// Removes a name.
    ///
    /// @param flags `AT_REMOVEDIR` for a directory, 0 for anything else
    default void unlinkat(Fd dir, Name name, int flags) throws ErrnoException {
        checked("unlinkat", libc().unlinkat(dir.number(), Scratch.mine().name("unlinkat", name), flags));
    }

    /// Removes a path of the host's, such as a socket. Never for a path from the guest.
    default void unlinkPath(String hostPath) throws ErrnoException {
        checked("unlinkat", libc().unlinkat(Fcntl.AT_FDCWD, Scratch.mine().text("unlinkat", hostPath), 0));
    }

    /// Renames, exchanges, or refuses to replace, depending on `flags` (`RENAME_…` of [Fcntl]).
    default void renameat2(Fd dir, Name name, Fd newDir, Name newName, int flags) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        long from = scratch.name("renameat2", name);
        long to = scratch.secondName("renameat2", newName);
        checked("renameat2", libc().renameat2(dir.number(), from, newDir.number(), to, flags));
    }

    /// What the symbolic link says that `pathFd` (`O_PATH | O_NOFOLLOW`) is open on.
    default byte[] readlink(Fd pathFd) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        MemorySegment room = scratch.value();
        long length = libc().readlinkat(pathFd.number(), scratch.noName(), room.address(), room.byteSize());
        return room.asSlice(0, checked("readlinkat", length)).toArray(JAVA_BYTE);
    }

    /// What `fd` is open on, for people: a path, or the kind of something that has none.
    default String whatIs(Fd fd) throws ErrnoException {
        return new String(pathOf(fd), StandardCharsets.UTF_8);
    }

    /// The path of what `fd` is open on as the calling thread sees it, at this moment. Behind it
    /// stands ` (deleted)` if the name is gone by which the file was found.
    default byte[] pathOf(Fd fd) throws ErrnoException {
        Scratch scratch = Scratch.mine();
        MemorySegment room = scratch.value();
        long path = scratch.procPath(fd);
        long length = libc().readlinkat(Fcntl.AT_FDCWD, path, room.address(), room.byteSize());
        return room.asSlice(0, checked("readlinkat", length)).toArray(JAVA_BYTE);
    }
}
