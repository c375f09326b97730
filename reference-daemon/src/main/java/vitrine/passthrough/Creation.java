package vitrine.passthrough;

import vitrine.fuse.Extensions;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// How something is made for a guest: by the process that asks, with its umask, and with the label
/// that its kernel has for it.
final class Creation {

    private final Syscalls sys;
    private final Identity identity;
    private final Negotiation negotiation;
    private final Labels labels;

    Creation(Syscalls sys, Identity identity, Negotiation negotiation, Labels labels) {
        this.sys = sys;
        this.identity = identity;
        this.negotiation = negotiation;
        this.labels = labels;
    }

    /// Who makes something.
    ///
    /// @param umask which permissions that is not to have, if the guest's kernel has left them in
    record Maker(InHeader header, Extensions extensions, int umask) {}

    /// Where it is made.
    ///
    /// @param unlinkFlags how the name is removed again: `AT_REMOVEDIR` for a directory
    record Place(Fd directory, Name name, int unlinkFlags) {}

    /// Makes something that has a name; in the end it has its label, or is not there.
    void make(Maker maker, Place place, Act act) throws ErrnoException {
        open(maker, () -> {
            act.make();
            return null;
        });
        labels.set(place, maker.extensions);
    }

    /// Makes a file that has a name, and opens it; in the end it has its label, or is not there.
    Fd open(Maker maker, Place place, Identity.Making making) throws ErrnoException {
        Fd made = open(maker, making);
        try {
            labels.set(made, maker.extensions);
            return made;
        } catch (ErrnoException e) {
            made.close();
            sys.unlinkat(place.directory, place.name, place.unlinkFlags);
            throw e;
        }
    }

    /// Makes a file that has no name, and opens it.
    Fd openNameless(Maker maker, Identity.Making making) throws ErrnoException {
        Fd made = open(maker, making);
        try {
            labels.set(made, maker.extensions);
            return made;
        } catch (ErrnoException e) {
            made.close();
            throw e;
        }
    }

    private Fd open(Maker maker, Identity.Making making) throws ErrnoException {
        Umask.set(sys, negotiation.has(InitFlag.DONT_MASK) ? maker.umask : 0);
        try (var _ = labels.announce(maker.extensions)) {
            return identity.make(maker.header, maker.extensions, making);
        }
    }

    /// The system call that makes something.
    interface Act {
        void make() throws ErrnoException;
    }
}
