package vitrine.guest.kernel.rule;

/// How much is read when a page is missing, or when the reader comes to a page that was marked for
/// this purpose (`ondemand_readahead` in Linux; all numbers are pages).
///
/// | the first that holds | the new window |
/// |---|---|
/// | the file's first page | begins here, of the first size |
/// | just behind the last window, or at its mark | follows it, of the next size |
/// | at a mark of somebody else's | behind what is cached |
/// | more is asked for than a window holds | begins here, of the first size |
/// | next to the page read last | begins here, of the first size |
/// | the pages before are cached | begins here, the past and the request together |
/// | otherwise: a reader without a plan | what is asked for, and no window |
///
/// @param index the page
/// @param requested how many pages the call wants from there on
/// @param marked whether the page is there and marked; otherwise it is missing
/// @param window the last window of this open file
/// @param lastRead where the last read ended; -1 before the first
/// @param cachedBefore how many pages right before this one are cached
/// @param cachedBehind how many right behind it are
/// @param most what a window holds at most
public record ReadAhead(
        long index,
        long requested,
        boolean marked,
        Window window,
        long lastRead,
        long cachedBefore,
        long cachedBehind,
        long most)
        implements Rule<ReadAhead.Window> {

    /// A piece of the file that is read at once.
    ///
    /// @param start its first page
    /// @param size how many
    /// @param ahead how many of them nobody has asked for: the first of these is marked
    /// @param remembered whether it is the open file's window from now on
    public record Window(long start, long size, long ahead, boolean remembered) {

        /// Before the first read.
        public static final Window NONE = new Window(0, 0, 0, true);
    }

    @Override
    public String title() {
        return "read-ahead: window";
    }

    @Override
    public Window outcome() {
        if (index == 0 && !marked) {
            return first();
        }
        if (index == window.start + window.size - window.ahead || index == window.start + window.size) {
            long size = next(window.size);
            return merged(new Window(window.start + window.size, size, size, true));
        }
        if (marked) {
            long size = next(cachedBehind + 1 + requested);
            return new Window(index + 1 + cachedBehind, size, size, true);
        }
        if (requested > most || lastRead >= 0 && index - lastRead >= 0 && index - lastRead <= 1) {
            return first();
        }
        if (cachedBefore > requested) {
            long past = cachedBefore >= index ? 2 * cachedBefore : cachedBefore;
            return merged(new Window(index, Math.min(past + requested, most), 1, true));
        }
        return new Window(index, Math.min(requested, most), 0, false);
    }

    private Window first() {
        long size = initial(requested);
        return merged(new Window(index, size, size > requested ? size - requested : size, true));
    }

    /// A mark on the window's own first page would be met at once: the next window is read along.
    private Window merged(Window it) {
        if (it.start != index || it.size != it.ahead) {
            return it;
        }
        long more = next(it.size);
        return it.size + more <= most
                ? new Window(it.start, it.size + more, more, true)
                : new Window(it.start, most, most / 2, true);
    }

    private long initial(long wanted) {
        long size = wanted <= 1 ? 1 : Long.highestOneBit(wanted - 1) << 1;
        if (size <= most / 32) {
            return size * 4;
        }
        return size <= most / 4 ? size * 2 : most;
    }

    private long next(long size) {
        if (size < most / 16) {
            return 4 * size;
        }
        return size <= most / 2 ? 2 * size : most;
    }

    @Override
    public String inputs() {
        return "page " + index + ", " + requested + " wanted, " + (marked ? "marked" : "missing") + ", last window "
                + window.start + "+" + window.size + ", last read to " + lastRead;
    }
}
