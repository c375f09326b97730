package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static vitrine.posix.Syscalls.checked;
import static vitrine.posix.Syscalls.opened;

import java.lang.foreign.MemorySegment;

/// System calls with which a process serves a file system to its own kernel: a mount that is
/// nowhere in the tree of files, and files in it whose data is another file's (`linux/fuse.h`,
/// `fsopen(2)`).
public sealed interface FuseCalls permits Syscalls {

    /// `FUSE_DEV_IOC_BACKING_OPEN`, `FUSE_DEV_IOC_BACKING_CLOSE` of `linux/fuse.h`.
    int BACKING_OPEN = 0x4010e501, BACKING_CLOSE = 0x4004e502;

    /// The C library that the calls are made through.
    Libc libc();

    /// Begins to make a mount of a type.
    default Fd fsopen(String type) throws ErrnoException {
        int cloexec = 1;
        long text = Scratch.mine().text("fsopen", type);
        return opened("fsopen", (int) libc().syscall(SyscallNumber.FSOPEN.number, text, cloexec, 0), libc());
    }

    /// Sets an option that has a value.
    default void fsconfig(Fd context, String option, String value) throws ErrnoException {
        int string = 1;
        Scratch scratch = Scratch.mine();
        fsconfig(context, string, scratch.text("fsconfig", option), scratch.secondText("fsconfig", value));
    }

    /// Sets an option that has none.
    default void fsconfig(Fd context, String option) throws ErrnoException {
        int flag = 0;
        fsconfig(context, flag, Scratch.mine().text("fsconfig", option), 0);
    }

    /// Makes what has been configured.
    default void fsconfigCreate(Fd context) throws ErrnoException {
        int create = 6;
        fsconfig(context, create, 0, 0);
    }

    /// The call itself, which has no use for its last argument here.
    private void fsconfig(Fd context, int command, long option, long value) throws ErrnoException {
        long number = SyscallNumber.FSCONFIG.number;
        checked("fsconfig", libc().syscall(number, context.number(), command, option, value, 0));
    }

    /// Mounts what has been made, without a place in any tree: it ends with the last descriptor
    /// that leads into it.
    ///
    /// @return its root, as if opened with `O_PATH`
    default Fd fsmount(Fd context) throws ErrnoException {
        int cloexec = 1;
        long number = SyscallNumber.FSMOUNT.number;
        return opened("fsmount", (int) libc().syscall(number, context.number(), cloexec, 0), libc());
    }

    /// Registers a file whose data files of a FUSE mount may have for theirs (Linux 6.9).
    ///
    /// @param device `/dev/fuse`, as the mount has it
    /// @return the number for `backing_id` of the reply to OPEN
    default int backingOpen(Fd device, Fd file) throws ErrnoException {
        MemorySegment map = Scratch.mine().struct; // struct fuse_backing_map
        map.set(JAVA_INT, 0, file.number());
        map.set(JAVA_INT, 4, 0);
        map.set(JAVA_LONG, 8, 0L);
        return checked("ioctl", libc().ioctl(device.number(), BACKING_OPEN, map.address()));
    }

    /// The end of [#backingOpen]; files that are open already keep what they have.
    default void backingClose(Fd device, int backingId) throws ErrnoException {
        MemorySegment id = Scratch.mine().struct;
        id.set(JAVA_INT, 0, backingId);
        checked("ioctl", libc().ioctl(device.number(), BACKING_CLOSE, id.address()));
    }
}
