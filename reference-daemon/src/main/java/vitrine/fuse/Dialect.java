package vitrine.fuse;

import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InitOut;

/// What was agreed in INIT and changes how later requests are laid out.
///
/// @param minor the minor protocol version that both sides speak
/// @param extendedSetxattr whether SETXATTR has its 16-byte struct (fuse.h: FUSE_SETXATTR_EXT)
/// @param securityContexts whether what is created comes with security contexts (fuse.h:
///     FUSE_SECURITY_CTX)
public record Dialect(int minor, boolean extendedSetxattr, boolean securityContexts) {

    /// The newest minor version of protocol 7 that we know.
    public static final int NEWEST_MINOR = 45;

    /// The oldest minor version of protocol 7 that we understand: that of Linux 4.18. Before it,
    /// structs had other sizes than those in [vitrine.fuse.struct].
    public static final int OLDEST_MINOR = 27;

    private static final int EXTENSIONS_ARE_COUNTED = 38; // total_extlen came with 7.38

    /// Before INIT is answered nothing is agreed.
    public static final Dialect BEFORE_INIT = new Dialect(NEWEST_MINOR, false, false);

    /// What this answer to INIT agrees to. The guest's kernel takes the minor version from it.
    public static Dialect of(InitOut answer) {
        return of(answer.minor(), answer.allFlags());
    }

    /// What these flags of INIT agree to, if both sides speak that minor version.
    public static Dialect of(int minor, long flags) {
        return new Dialect(minor, InitFlag.SETXATTR_EXT.in(flags), InitFlag.SECURITY_CTX.in(flags));
    }

    /// Whether security contexts are the last argument without being announced in the header, as in
    /// protocol 7.36 and 7.37.
    boolean hasUncountedContexts() {
        return securityContexts && minor < EXTENSIONS_ARE_COUNTED;
    }
}
