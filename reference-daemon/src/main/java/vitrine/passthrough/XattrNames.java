package vitrine.passthrough;

import java.util.Optional;
import vitrine.fuse.flag.InitFlag;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.wire.Name;

/// Which extended attributes there are for this guest, and what they are called on the host: what
/// the [XattrMap] says, less the ACLs if they are not agreed on.
///
/// An ACL changes permissions. A guest's kernel that does not know it as one would go on to believe
/// in those that it has seen.
final class XattrNames {

    private final XattrMap map;
    private final Negotiation negotiation;

    XattrNames(XattrMap map, Negotiation negotiation) {
        this.map = map;
        this.negotiation = negotiation;
    }

    /// What the guest means by this name.
    ///
    /// @throws ErrnoException `EPERM` or `EOPNOTSUPP` if it is refused
    Name toHost(Name guestName) throws ErrnoException {
        if (isHidden(guestName)) {
            throw new ErrnoException("attribute " + guestName, Errno.EOPNOTSUPP);
        }
        return map.toHost(guestName);
    }

    /// What the guest is told of this name in a list; nothing if it is hidden.
    Optional<Name> toGuest(Name hostName) {
        return map.toGuest(hostName).filter(name -> !isHidden(name));
    }

    private boolean isHidden(Name guestName) {
        return XattrMap.ACLS.contains(guestName) && !negotiation.has(InitFlag.POSIX_ACL);
    }
}
