package vitrine.passthrough;

import java.util.List;
import vitrine.fuse.Extensions;
import vitrine.fuse.SecurityContext;
import vitrine.fuse.flag.InitFlag;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.NextLabel;
import vitrine.posix.Syscalls;
import vitrine.wire.Name;

/// The label that the guest's security module has for something new (fuse.h: FUSE_SECURITY_CTX).
///
/// If SELinux runs on the host too, the thread says the label beforehand, and what it makes has it
/// from the start. If not, to the host the label is an attribute like others. It is set right
/// after, and for that moment whoever looks into the directory finds something without a label; if
/// it cannot be set, that is removed again.
final class Labels {

    private static final Name SELINUX = Name.of("security.selinux");

    private final Syscalls sys;
    private final Negotiation negotiation;
    private final XattrNames names;
    private final boolean selinuxOnHost;

    Labels(Syscalls sys, PassthroughOptions options, Negotiation negotiation, XattrNames names) {
        this.sys = sys;
        this.negotiation = negotiation;
        this.names = names;
        selinuxOnHost = options.has(Feature.SECURITY_LABEL) && NextLabel.isTaken(sys);
    }

    /// Says the label of what the calling thread makes next.
    ///
    /// @return the end of it; null if there is nothing to be said
    NextLabel announce(Extensions extensions) throws ErrnoException {
        for (SecurityContext label : agreed(extensions)) {
            if (isTheHosts(label)) {
                return new NextLabel(sys, label.label());
            }
        }
        return null;
    }

    /// Sets the labels that were not announced, or removes what should have had them. What somebody
    /// on the host has removed already needs none.
    void set(Creation.Place place, Extensions extensions) throws ErrnoException {
        if (agreed(extensions).isEmpty()) {
            return;
        }
        try (Fd made = sys.openat(place.directory(), place.name(), Fcntl.O_PATH | Fcntl.O_NOFOLLOW, 0)) {
            set(made, extensions);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return;
            }
            sys.unlinkat(place.directory(), place.name(), place.unlinkFlags());
            throw e;
        }
    }

    /// Sets the labels that were not announced.
    void set(Fd made, Extensions extensions) throws ErrnoException {
        for (SecurityContext label : agreed(extensions)) {
            if (!isTheHosts(label)) {
                sys.setxattr(made, names.toHost(label.attribute()), label.label(), 0);
            }
        }
    }

    private List<SecurityContext> agreed(Extensions extensions) {
        return negotiation.has(InitFlag.SECURITY_CTX) ? extensions.securityContexts() : List.of();
    }

    private boolean isTheHosts(SecurityContext label) throws ErrnoException {
        return selinuxOnHost
                && label.attribute().equals(SELINUX)
                && names.toHost(label.attribute()).equals(SELINUX);
    }
}
