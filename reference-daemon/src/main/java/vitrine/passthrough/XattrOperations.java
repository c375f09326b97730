package vitrine.passthrough;

import vitrine.fuse.Reply;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// What the requests about extended attributes do on the host: names and values go through as they
/// are, for every kind of file.
///
/// If they are switched off, `ENOSYS` tells the guest's kernel not to ask again. That saves much:
/// without it, a kernel that clears set-ID bits itself asks for `security.capability` before every
/// write.
final class XattrOperations {

    private static final Name CAPABILITY = Name.of("security.capability");

    private final Syscalls sys;
    private final Identity identity;
    private final InodeTable inodes;
    private final boolean on;

    XattrOperations(Share share) {
        sys = share.sys();
        identity = share.identity();
        inodes = share.inodes();
        on = share.options().has(Feature.XATTR);
    }

    /// SETXATTR: sets an attribute.
    void setxattr(XattrRequest.Setxattr request) throws ErrnoException {
        requireOn();
        try (Inode inode = inodes.hold(request.nodeid())) {
            identity.mayKeepSetIdBits(); // an ACL that is set without CAP_FSETID may clear one
            sys.setxattr(
                    inode.fd(), request.name(), request.value(), request.in().flags());
        }
    }

    /// GETXATTR: reads a value, or with size 0 asks how large it is.
    Reply getxattr(XattrRequest.Getxattr request) throws ErrnoException {
        requireOn();
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (request.in().size() == 0) {
                return size(sys.getxattr(inode.fd(), request.name(), Buffers.EMPTY));
            }
            requireRoom(request.into());
            return new Reply.Filled(sys.getxattr(inode.fd(), request.name(), request.into()));
        }
    }

    /// LISTXATTR: reads the names, each with its NUL, or with size 0 asks how long the list is.
    Reply listxattr(XattrRequest.Listxattr request) throws ErrnoException {
        requireOn();
        try (Inode inode = inodes.hold(request.nodeid())) {
            if (request.in().size() == 0) {
                return size(sys.listxattr(inode.fd(), Buffers.EMPTY));
            }
            requireRoom(request.into());
            return new Reply.Filled(sys.listxattr(inode.fd(), request.into()));
        }
    }

    /// REMOVEXATTR: removes an attribute.
    void removexattr(XattrRequest.Removexattr request) throws ErrnoException {
        requireOn();
        try (Inode inode = inodes.hold(request.nodeid())) {
            sys.removexattr(inode.fd(), request.name());
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

    /// The host takes a size of 0 for the question how large it is, but this guest asked for the
    /// bytes.
    private static void requireRoom(Buffers into) throws ErrnoException {
        if (into.size() == 0) {
            throw new ErrnoException("no room for an extended attribute", Errno.ERANGE);
        }
    }

    private static Reply size(int size) {
        return new Reply.Struct(new GetxattrOut(size));
    }
}
