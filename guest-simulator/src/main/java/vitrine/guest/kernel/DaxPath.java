package vitrine.guest.kernel;

import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.posix.ErrnoException;

/// The way of data through the DAX window, for the files that are in it. Which way is taken is
/// decided elsewhere ([vitrine.guest.kernel.rule.DataPath]); here is what is done on this one.
public interface DaxPath {

    /// No window: no file is in it.
    DaxPath NONE = new NoWindow(false);

    /// No window, but the server may name files for it. The guest listens, and lets go of such a
    /// file as of any that is not used as the server would have it.
    DaxPath NAMED_IN_VAIN = new NoWindow(true);

    /// The guest gets to know a file: decides whether it is used through the window.
    void met(GuestInode inode);

    /// Whether the server decides which files are used through the window.
    boolean isChosenByServer();

    /// Whether a file is in the window, which does not change while the guest knows it.
    boolean has(GuestInode inode);

    /// The guest is about to forget a file: takes it out of the window.
    void forgotten(GuestInode inode);

    /// read(2), of a file that may be read.
    byte[] read(Task task, LinuxFile file, long offset, int count) throws ErrnoException;

    /// write(2), of a file that may be written; set-ID bits and capabilities have been seen to.
    ///
    /// @param offset where it begins; with `O_APPEND` the end of the file as the guest knows it
    int write(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException;

    /// What a program's own load finds in a shared mapping.
    byte[] load(GuestInode inode, long offset, int count) throws BusErrorException;

    /// What a program's own store does in a shared mapping.
    void store(GuestInode inode, long offset, byte[] bytes) throws BusErrorException;
}
