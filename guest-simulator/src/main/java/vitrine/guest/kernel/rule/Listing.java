package vitrine.guest.kernel.rule;

/// How a directory is listed (`fuse_use_readdirplus` and `fuse_readdir_cached` in Linux).
public final class Listing {

    private Listing() {}

    /// Whether READDIRPLUS is sent, which brings attributes and counts as a lookup of each name; or
    /// READDIR.
    ///
    /// @param plusAgreed whether DO_READDIRPLUS was agreed on
    /// @param auto whether READDIRPLUS_AUTO was
    /// @param atBeginning whether it is the first piece of the directory
    /// @param namesWereUsed whether somebody has looked at a file of this directory since
    public record Plus(boolean plusAgreed, boolean auto, boolean atBeginning, boolean namesWereUsed)
            implements Rule<Boolean> {

        @Override
        public String title() {
            return "listing: READDIRPLUS?";
        }

        @Override
        public Boolean outcome() {
            return plusAgreed && (!auto || atBeginning || namesWereUsed);
        }
    }

    /// Whether the listing that was kept is good.
    ///
    /// @param allowed whether the server said `FOPEN_CACHE_DIR`
    /// @param complete whether a listing was kept to its end
    /// @param changed whether the directory has changed since, as far as the guest knows
    public record Kept(boolean allowed, boolean complete, boolean changed) implements Rule<Boolean> {

        @Override
        public String title() {
            return "listing: from the cache?";
        }

        @Override
        public Boolean outcome() {
            return allowed && complete && !changed;
        }
    }
}
