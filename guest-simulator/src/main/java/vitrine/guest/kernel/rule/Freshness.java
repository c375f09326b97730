package vitrine.guest.kernel.rule;

/// Whether the guest asks again for what it has been told before (`fuse_update_get_attr`,
/// `fuse_dentry_revalidate` and `fuse_change_attributes` in Linux).
public final class Freshness {

    private Freshness() {}

    /// Whether attributes have to be asked for.
    ///
    /// | the timeout is over | a part that is wanted has changed since | |
    /// |---|---|---|
    /// | yes | | GETATTR |
    /// | no | yes | GETATTR |
    /// | no | no | nothing |
    ///
    /// @param expired whether the server's timeout is over
    /// @param partsChanged whether an act of this guest has changed what is wanted, and only the
    ///     server knows to what: after a write that is size and times, but not the mode
    public record Attributes(boolean expired, boolean partsChanged) implements Rule<Boolean> {

        @Override
        public String title() {
            return "attributes: ask?";
        }

        @Override
        public Boolean outcome() {
            return expired || partsChanged;
        }
    }

    /// What is known of a name.
    public enum Known {
        /// Nothing.
        NOTHING,
        /// Which file it names.
        A_FILE,
        /// That there is no such name.
        NO_FILE
    }

    /// What is done to find out what a name names.
    public enum Look {
        /// Nothing: what is known is believed.
        BELIEVE,
        /// LOOKUP, in the hope that it is the file that is known.
        ASK_AGAIN,
        /// LOOKUP, as if nothing was known.
        LOOK_UP
    }

    /// Whether a name has to be looked up.
    ///
    /// @param known what is known
    /// @param expired whether the server's timeout is over
    /// @param demanded whether the call wants to know for sure: O_EXCL, the new name of a link or
    ///     directory, the target of a rename
    public record Entry(Known known, boolean expired, boolean demanded) implements Rule<Look> {

        @Override
        public String title() {
            return "name: look up?";
        }

        @Override
        public Look outcome() {
            if (known == Known.NOTHING) {
                return Look.LOOK_UP;
            }
            if (!expired && !demanded) {
                return Look.BELIEVE;
            }
            return known == Known.A_FILE ? Look.ASK_AGAIN : Look.LOOK_UP;
        }
    }

    /// Whether attributes that have come are still worth something.
    ///
    /// @param changedMeanwhile whether this guest has changed the file since it asked
    /// @param sizeChanging whether it is just doing so
    public record Late(boolean changedMeanwhile, boolean sizeChanging) implements Rule<Boolean> {

        @Override
        public String title() {
            return "attributes: too late?";
        }

        @Override
        public Boolean outcome() {
            return changedMeanwhile || sizeChanging;
        }
    }

    /// Whether the pages of a file are dropped when its attributes come.
    ///
    /// @param sizeDiffers whether the size is another than that remembered
    /// @param timeDiffers whether the time of the last write is
    /// @param autoInval whether AUTO_INVAL_DATA was agreed on
    /// @param explicitInval whether EXPLICIT_INVAL_DATA was, and AUTO_INVAL_DATA was not
    /// @param writeBack whether this guest keeps size and times itself
    public record Pages(
            boolean sizeDiffers, boolean timeDiffers, boolean autoInval, boolean explicitInval, boolean writeBack)
            implements Rule<Boolean> {

        @Override
        public String title() {
            return "pages: drop?";
        }

        @Override
        public Boolean outcome() {
            if (writeBack) {
                return false;
            }
            return sizeDiffers ? !explicitInval : autoInval && timeDiffers;
        }
    }
}
