package vitrine.guest.kernel;

import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;

/// All files are used without a window.
///
/// @param isChosenByServer whether the mount option was for the server to decide
record NoWindow(boolean isChosenByServer) implements DaxPath {

    @Override
    public void met(GuestInode inode) {
        // it is used without
    }

    @Override
    public boolean has(GuestInode inode) {
        return false;
    }

    @Override
    public void forgotten(GuestInode inode) {
        // nothing to take away
    }

    @Override
    public byte[] read(Task task, LinuxFile file, long offset, int count) {
        throw new IllegalStateException("no window");
    }

    @Override
    public int write(Task task, LinuxFile file, long offset, byte[] bytes) {
        throw new IllegalStateException("no window");
    }

    @Override
    public byte[] load(GuestInode inode, long offset, int count) {
        throw new IllegalStateException("no window");
    }

    @Override
    public void store(GuestInode inode, long offset, byte[] bytes) {
        throw new IllegalStateException("no window");
    }
}
