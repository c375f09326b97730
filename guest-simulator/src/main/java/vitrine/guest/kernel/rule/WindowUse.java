package vitrine.guest.kernel.rule;

import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;

/// How Linux uses the DAX window (`fs/fuse/dax.c`): for which files, in which slots, and what
/// happens when there are none left.
public final class WindowUse {

    private WindowUse() {}

    /// Whether a file is used through the window: decided when the guest gets to know it, and never
    /// again (`fuse_should_enable_dax`).
    ///
    /// @param mode the mount option
    /// @param window whether there is a window
    /// @param regular whether it is a regular file
    /// @param agreed whether both sides agreed on HAS_INODE_DAX
    /// @param marked whether the server named the file (fuse.h: FUSE_ATTR_DAX)
    public record OfFile(DaxMode mode, boolean window, boolean regular, boolean agreed, boolean marked)
            implements Rule<Boolean> {

        @Override
        public String title() {
            return "dax: this file?";
        }

        @Override
        public Boolean outcome() {
            return window
                    && regular
                    && switch (mode) {
                        case NEVER -> false;
                        case ALWAYS -> true;
                        case INODE -> agreed && marked;
                    };
        }
    }

    /// What an access needs of a range.
    public enum Need {
        /// Nothing: it is there.
        NOTHING,
        /// It is there, and has been for reading only: the same SETUPMAPPING once more, to write.
        LEAVE_TO_WRITE,
        /// A slot, and a SETUPMAPPING.
        A_SLOT
    }

    /// What an access needs (`fuse_iomap_begin`).
    ///
    /// @param mapped whether the range is in the window
    /// @param writable whether it was asked for to write
    /// @param write whether it is to be written now
    public record Access(boolean mapped, boolean writable, boolean write) implements Rule<Need> {

        @Override
        public String title() {
            return "dax: what does the access need?";
        }

        @Override
        public Need outcome() {
            if (!mapped) {
                return Need.A_SLOT;
            }
            return write && !writable ? Need.LEAVE_TO_WRITE : Need.NOTHING;
        }
    }

    /// Where a slot comes from.
    public enum Source {
        /// The one that has been free for longest.
        FREE_LIST,
        /// The first range of the same file that nobody is using.
        SAME_FILE,
        /// From the worker, who takes them from other files; the access waits.
        WORKER
    }

    /// Where a slot comes from (`alloc_dax_mapping_reclaim`). A page fault holds what it would have
    /// to give up to take one from its own file.
    ///
    /// @param free how many slots are free
    /// @param idleInFile whether the file has a range that nobody is using
    /// @param pageFault whether it is a page fault that asks
    public record SlotFrom(int free, boolean idleInFile, boolean pageFault) implements Rule<Source> {

        @Override
        public String title() {
            return "dax: where does a slot come from?";
        }

        @Override
        public Source outcome() {
            if (free > 0) {
                return Source.FREE_LIST;
            }
            return idleInFile && !pageFault ? Source.SAME_FILE : Source.WORKER;
        }
    }

    /// Whether the worker is woken: when fewer than a fifth of the slots are free, or none.
    ///
    /// @param free how many slots are free
    /// @param slots how many there are
    public record WorkerIsDue(int free, int slots) implements Rule<Boolean> {

        private static final int PERCENT = 20;

        @Override
        public String title() {
            return "dax: wake the worker?";
        }

        @Override
        public Boolean outcome() {
            return free < Math.max(1, slots * PERCENT / 100);
        }
    }

    /// What becomes of a write.
    public enum Growth {
        /// It ends inside the file: through the window.
        NONE,
        /// All of it is sent.
        WRITE,
        /// What is inside the file goes through the window, the rest is sent.
        WRITE_THE_REST,
        /// FALLOCATE, then through the window.
        FALLOCATE,
        /// SETATTR of the size, then through the window.
        TRUNCATE
    }

    /// What becomes of a write (`fuse_dax_write_iter`; before Linux 5.10 in other ways).
    ///
    /// @param strategy the kernel's way
    /// @param offset where the write begins
    /// @param length how long it is
    /// @param size where the file ends, as far as the guest knows
    public record Write(ExtendingWrite strategy, long offset, int length, long size) implements Rule<Growth> {

        @Override
        public String title() {
            return "dax: does the write make the file longer?";
        }

        @Override
        public Growth outcome() {
            if (offset + length <= size) {
                return Growth.NONE;
            }
            return switch (strategy) {
                case WRITE -> Growth.WRITE;
                case SPLIT -> offset < size ? Growth.WRITE_THE_REST : Growth.WRITE;
                case FALLOCATE_FIRST -> Growth.FALLOCATE;
                case TRUNCATE_FIRST -> Growth.TRUNCATE;
            };
        }
    }
}
