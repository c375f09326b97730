package vitrine.passthrough;

import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.wire.Name;

/// What a guest may call a file: one component of a path, and never a way out of the directory.
///
/// The guest's kernel sends nothing else. A guest that does more than its kernel could make the
/// host resolve `../../etc`, or an absolute path, in a directory that it has a nodeid for. Every
/// name that goes to a system call has passed through here.
final class Names {

    /// The longest name (`NAME_MAX`).
    static final int LONGEST = 255;

    /// The directory itself.
    static final Name SELF = Name.of(".");

    private Names() {}

    /// The name, if it is the name of something *in* a directory.
    ///
    /// @throws ErrnoException `EINVAL` if it is empty, `.`, `..` or contains `/`; `ENAMETOOLONG`
    static Name checked(Name name) throws ErrnoException {
        if (name.length() == 0 || isSelf(name) || isParent(name) || name.contains('/')) {
            throw new ErrnoException("name \"" + name + "\"", Errno.EINVAL);
        }
        if (name.length() > LONGEST) {
            throw new ErrnoException("name of " + name.length() + " bytes", Errno.ENAMETOOLONG);
        }
        return name;
    }

    /// Whether it is `.`, the directory itself.
    static boolean isSelf(Name name) {
        return name.length() == 1 && name.at(0) == '.';
    }

    /// Whether it is `..`, the directory above.
    static boolean isParent(Name name) {
        return name.length() == 2 && name.at(0) == '.' && name.at(1) == '.';
    }
}
