package vitrine.guest.kernel.rule;

/// How many bytes of a transfer that passes the page cache by go into the next request
/// (`fuse_direct_io` and `fuse_get_user_pages` in Linux).
///
/// The pages are those of the program's memory. Memory that begins within a page has a page more,
/// and so a request fewer bytes; where in the file the bytes are does not matter.
///
/// @param left how many are left
/// @param place where in its page the memory for them begins
/// @param most bytes of a request
/// @param mostPages pages of a request
public record DirectPiece(int left, int place, int most, int mostPages) implements Rule<Integer> {

    private static final int PAGE = 4096;

    @Override
    public String title() {
        return "direct: bytes of a request";
    }

    @Override
    public Integer outcome() {
        return Math.min(left, Math.min(most, mostPages * PAGE - place));
    }
}
