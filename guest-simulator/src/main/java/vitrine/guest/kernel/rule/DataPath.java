package vitrine.guest.kernel.rule;

/// Which way the data of a file takes; decided anew for each call (`fuse_file_write_iter` and its
/// like in Linux).
///
/// | the first that holds | write | read | map |
/// |---|---|---|---|
/// | the file is in the DAX window | into the window | out of it | the window itself |
/// | the server said `FOPEN_DIRECT_IO` | WRITE, not kept | READ, not kept | shared: ENODEV |
/// | the program said `O_DIRECT` | WRITE, out of its memory | READ, into it | page cache |
/// | write-back, and no set-ID bit to go | into the page cache | page cache | page cache |
/// | otherwise | page cache, and WRITE at once | page cache | page cache |
///
/// DAX is a matter of the file, the other three of the open file or of the program.
public final class DataPath {

    /// The ways.
    public enum Way {
        /// Through the DAX window: no request but for the mapping.
        DAX,
        /// Between program and server, because the server wants it so.
        SERVER_DIRECT,
        /// Between program and server, because the program wants it so.
        PROGRAM_DIRECT,
        /// Into the page cache; WRITE comes later.
        WRITE_BACK,
        /// Into the page cache, with a WRITE before the call returns.
        WRITE_THROUGH,
        /// Out of the page cache, or by way of it.
        PAGE_CACHE,
        /// The call is refused.
        REFUSED
    }

    private DataPath() {}

    /// write(2).
    ///
    /// @param dax whether the file is in the window
    /// @param fopenDirectIo what the server said at OPEN
    /// @param serverDirectBeforeDax whether the first two rows change places, as in no Linux
    /// @param writeBack whether it was agreed on
    /// @param killsNow whether only a WRITE of this program's can order set-ID bits to be cleared
    /// @param oDirect what the program said at open(2)
    public record Write(
            boolean dax,
            boolean fopenDirectIo,
            boolean serverDirectBeforeDax,
            boolean writeBack,
            boolean killsNow,
            boolean oDirect)
            implements Rule<Way> {

        @Override
        public String title() {
            return "write: path";
        }

        @Override
        public Way outcome() {
            if (dax && !(serverDirectBeforeDax && fopenDirectIo)) {
                return Way.DAX;
            }
            if (fopenDirectIo) {
                return Way.SERVER_DIRECT;
            }
            if (oDirect) {
                return Way.PROGRAM_DIRECT;
            }
            return writeBack && !killsNow ? Way.WRITE_BACK : Way.WRITE_THROUGH;
        }
    }

    /// read(2).
    ///
    /// @param dax whether the file is in the window
    /// @param fopenDirectIo what the server said at OPEN
    /// @param serverDirectBeforeDax whether the first two rows change places, as in no Linux
    /// @param oDirect what the program said at open(2)
    public record Read(boolean dax, boolean fopenDirectIo, boolean serverDirectBeforeDax, boolean oDirect)
            implements Rule<Way> {

        @Override
        public String title() {
            return "read: path";
        }

        @Override
        public Way outcome() {
            if (dax && !(serverDirectBeforeDax && fopenDirectIo)) {
                return Way.DAX;
            }
            if (fopenDirectIo) {
                return Way.SERVER_DIRECT;
            }
            return oDirect ? Way.PROGRAM_DIRECT : Way.PAGE_CACHE;
        }
    }

    /// mmap(2).
    ///
    /// @param dax whether the file is in the window
    /// @param fopenDirectIo what the server said at OPEN
    /// @param shared whether stores are to reach the file
    /// @param allowed whether DIRECT_IO_ALLOW_MMAP was agreed on
    public record Map(boolean dax, boolean fopenDirectIo, boolean shared, boolean allowed) implements Rule<Way> {

        @Override
        public String title() {
            return "mmap: path";
        }

        @Override
        public Way outcome() {
            if (dax) {
                return Way.DAX;
            }
            return fopenDirectIo && shared && !allowed ? Way.REFUSED : Way.PAGE_CACHE;
        }
    }
}
