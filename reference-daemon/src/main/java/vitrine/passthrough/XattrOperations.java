package vitrine.passthrough;

import java.util.List;
import java.util.Optional;
import vitrine.fuse.Reply;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.SetxattrFlag;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// What the requests about extended attributes do on the host, for every kind of file. Names are
/// what [XattrNames] say, values go through as they are.
///
/// If they are switched off, `ENOSYS` tells the guest's kernel not to ask again. That saves much:
/// without it, a kernel that clears set-ID bits itself asks for `security.capability` before every
/// write.
final class XattrOperations {

    private static final Name CAPABILITY = Name.of("security.capability");
    private static final int LONGEST_NAME = 255; // XATTR_NAME_MAX

    private final Syscalls sys;
    private final Identity identity;
    private final InodeTable inodes;
    private final XattrNames names;
    private final boolean on;

    XattrOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        inodes = share.inodes();
        names = share.xattrNames();
        on = share.options().has(Feature.XATTR);
    }

    /// SETXATTR: sets an attribute.
    void setxattr(XattrRequest.Setxattr request) throws ErrnoException {
        requireOn();
        Name name = names.toHost(request.name());
        try (Inode inode = inodes.hold(request.nodeid())) {
            // Whoever sets an ACL of a file whose group they are not in takes the set-group-ID bit
            // from it. The host's kernel does so too, if we are not in that group either.
            boolean keep = !SetxattrFlag.ACL_KILL_SGID.in(request.in().setxattrFlags());
            identity.mayKeepSetIdBits(request.header(), keep);
            sys.setxattr(inode.fd(), name, request.value(), request.in().flags());
        }
    }

    /// GETXATTR: reads a value, or with size 0 asks how large it is.
    Reply getxattr(XattrRequest.Getxattr request) throws ErrnoException {
        requireOn();
        Name name = nameToRead(request.name());
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (request.in().size() == 0) {
                return size(sys.getxattr(inode.fd(), name, Buffers.EMPTY));
            }
            // The host takes a size of 0 for the question how large it is, but this guest asked
            // for the bytes.
            requireRoom(1, request.into());
            return new Reply.Filled(sys.getxattr(inode.fd(), name, request.into()));
        }
    }

    /// What the guest must not use is not there for it; and what cannot have a name on the host is
    /// not there either. The host would call the name too long with `ERANGE`, which the guest takes
    /// for "the value is longer than that", and asks again for ever.
    private Name nameToRead(Name guestName) throws ErrnoException {
        try {
            Name name = names.toHost(guestName);
            if (name.length() <= LONGEST_NAME) {
                return name;
            }
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPERM) {
                throw e;
            }
        }
        throw new ErrnoException("attribute " + guestName, Errno.ENODATA);
    }

    /// LISTXATTR: reads the names, each with its NUL, or with size 0 asks how long the list is.
    ///
    /// Whether there is room depends on the names that the guest is told, not on those that the
    /// host has.
    Reply listxattr(XattrRequest.Listxattr request) throws ErrnoException {
        requireOn();
        try (Inode inode = inodes.hold(request.nodeid())) {
            List<Name> list = sys.listxattr(inode.fd()).stream()
                    .map(names::toGuest)
                    .flatMap(Optional::stream)
                    .distinct() // two rules may call two attributes the same
                    .toList();
            int size = list.stream().mapToInt(name -> name.length() + 1).sum();
            if (request.in().size() == 0) {
                return size(size);
            }
            requireRoom(size, request.into());
            WireWriter out = new WireWriter(request.into());
            list.forEach(out::name);
            return new Reply.Filled(size);
        }
    }

    /// REMOVEXATTR: removes an attribute.
    void removexattr(XattrRequest.Removexattr request) throws ErrnoException {
        requireOn();
        Name name = names.toHost(request.name());
        try (Inode inode = inodes.hold(request.nodeid())) {
            sys.removexattr(inode.fd(), name);
            if (request.name().equals(CAPABILITY) && request.header().uid() == 0) {
                inode.rootRemovedCapabilities();
            }
        }
    }

    private void requireOn() throws ErrnoException {
        if (!on) {
            throw new ErrnoException("extended attributes are switched off", Errno.ENOSYS);
        }
    }

    private static void requireRoom(int size, Buffers into) throws ErrnoException {
        if (into.size() < size) {
            throw new ErrnoException("room of " + into.size() + " bytes", Errno.ERANGE);
        }
    }

    private static Reply size(int size) {
        return new Reply.Struct(new GetxattrOut(size));
    }
}
