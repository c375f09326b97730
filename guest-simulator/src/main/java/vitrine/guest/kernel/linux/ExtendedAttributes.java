package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.E2BIG;
import static vitrine.posix.Errno.EINVAL;
import static vitrine.posix.Errno.ENODATA;
import static vitrine.posix.Errno.ENOSYS;
import static vitrine.posix.Errno.EOPNOTSUPP;
import static vitrine.posix.Errno.EPERM;
import static vitrine.posix.Errno.ERANGE;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Extended attributes in the guest: who may touch which name, and the four requests.
///
/// A server without them answers ENOSYS; programs see EOPNOTSUPP, then and ever after.
final class ExtendedAttributes {

    private static final int LONGEST_NAME = 255; // Linux: XATTR_NAME_MAX
    private static final int LONGEST_VALUE = 65_536; // Linux: XATTR_SIZE_MAX
    private static final int GETXATTR_OUT = (int) GetxattrOut.LAYOUT.byteSize();

    private final FuseClient client;
    private final Attributes attributes;

    ExtendedAttributes(FuseClient client, Attributes attributes) {
        this.client = client;
        this.attributes = attributes;
    }

    /// How long a value is; the kernel's own question, without a check of permissions.
    int size(Task task, GuestInode inode, String name) throws ErrnoException {
        return ask(
                new XattrRequest.Getxattr(header(task, inode), new GetxattrIn(0), Name.of(name)),
                GETXATTR_OUT,
                in -> GetxattrOut.decode(in).size());
    }

    /// A value, for who asks first how long it is.
    byte[] get(Task task, GuestInode inode, String name) throws ErrnoException {
        requireMayGet(task, inode, name);
        while (true) {
            int size = size(task, inode, name);
            try {
                return size == 0 ? new byte[0] : ask(task, inode, name, size);
            } catch (ErrnoException e) {
                if (e.errno() != ERANGE) { // ERANGE: it grew meanwhile
                    throw e;
                }
            }
        }
    }

    /// A value, for who has room for so many bytes.
    byte[] get(Task task, GuestInode inode, String name, int room) throws ErrnoException {
        requireMayGet(task, inode, name);
        return ask(task, inode, name, room);
    }

    private byte[] ask(Task task, GuestInode inode, String name, int room) throws ErrnoException {
        return ask(
                new XattrRequest.Getxattr(header(task, inode), new GetxattrIn(room), Name.of(name)),
                room,
                in -> in.rest().toBytes());
    }

    /// All names, for who asks first how long they are.
    List<String> list(Task task, GuestInode inode) throws ErrnoException {
        int size = ask(
                new XattrRequest.Listxattr(header(task, inode), new GetxattrIn(0)),
                GETXATTR_OUT,
                in -> GetxattrOut.decode(in).size());
        return size == 0 ? List.of() : list(task, inode, size);
    }

    /// All names, for who has room for so many bytes.
    List<String> list(Task task, GuestInode inode, int room) throws ErrnoException {
        byte[] names = ask(
                new XattrRequest.Listxattr(header(task, inode), new GetxattrIn(room)),
                room,
                in -> in.rest().toBytes());
        // On a local file system only those with CAP_SYS_ADMIN see trusted names. FUSE passes on
        // what the server says, to everybody.
        return names.length == 0 ? List.of() : List.of(new String(names, StandardCharsets.UTF_8).split("\0"));
    }

    /// Sets a value.
    void set(Task task, GuestInode inode, String name, byte[] value, int flags) throws ErrnoException {
        requireMaySet(task, inode, name);
        boolean extended = client.has(InitFlag.SETXATTR_EXT);
        ask(
                new XattrRequest.Setxattr(
                        header(task, inode),
                        new SetxattrIn(value.length, flags, extended, 0),
                        Name.of(name),
                        Buffers.ofBytes(value)),
                0,
                _ -> null);
        inode.changed(Set.of(Part.CHANGE_TIME));
    }

    /// Removes an attribute.
    void remove(Task task, GuestInode inode, String name) throws ErrnoException {
        requireMaySet(task, inode, name);
        removeUnchecked(task, inode, name);
    }

    /// Removes an attribute on the kernel's own account.
    void removeUnchecked(Task task, GuestInode inode, String name) throws ErrnoException {
        ask(new XattrRequest.Removexattr(header(task, inode), Name.of(name)), 0, _ -> null);
        inode.changed(Set.of(Part.CHANGE_TIME));
    }

    private vitrine.fuse.struct.InHeader header(Task task, GuestInode inode) {
        return client.header(task, inode.nodeid());
    }

    private <T> T ask(FuseRequest request, int room, FuseClient.Decoder<T> decoder) throws ErrnoException {
        try {
            return client.ask(request, room, decoder);
        } catch (ErrnoException e) {
            throw e.errno() == ENOSYS ? new ErrnoException(e.call(), EOPNOTSUPP) : e;
        }
    }

    /// What setxattr(2) checks before it looks at the path.
    static void requireArguments(String name, byte[] value, int flags) throws ErrnoException {
        if ((flags & ~(Fcntl.XATTR_CREATE | Fcntl.XATTR_REPLACE)) != 0) {
            throw new ErrnoException("setxattr", EINVAL);
        }
        requireName(name);
        if (value.length > LONGEST_VALUE) {
            throw new ErrnoException("setxattr", E2BIG);
        }
    }

    /// What all calls with a name check before they look at the path.
    static void requireName(String name) throws ErrnoException {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > LONGEST_NAME) {
            throw new ErrnoException("name of an attribute", ERANGE);
        }
    }

    private void requireMayGet(Task task, GuestInode inode, String name) throws ErrnoException {
        if (hasRulesOfItsOwn(name)) {
            return;
        }
        if (name.startsWith("trusted.") && !task.can(Capability.SYS_ADMIN)
                || name.startsWith("user.") && !holdsUserAttributes(inode.attr())) {
            throw new ErrnoException("getxattr", ENODATA);
        }
        attributes.require(task, inode, Permission.READ);
    }

    private void requireMaySet(Task task, GuestInode inode, String name) throws ErrnoException {
        boolean capabilities = name.equals(KillPriv.CAPABILITY_ATTRIBUTE);
        boolean administrative = name.startsWith("trusted.") || name.startsWith("security.");
        if (administrative && !task.can(capabilities ? Capability.SETFCAP : Capability.SYS_ADMIN)) {
            throw new ErrnoException("setxattr", EPERM);
        }
        if (hasRulesOfItsOwn(name)) {
            return;
        }
        boolean sticky = Stat.isDirectory(inode.attr().mode()) && (inode.attr().mode() & Stat.S_ISVTX) != 0;
        if (name.startsWith("user.")
                && (!holdsUserAttributes(inode.attr()) || sticky && !Permission.isOwner(task, inode.attr()))) {
            throw new ErrnoException("setxattr", EPERM);
        }
        attributes.require(task, inode, Permission.WRITE);
    }

    /// Whether the permission bits of the file do not matter: what is behind the name decides
    /// alone.
    private static boolean hasRulesOfItsOwn(String name) {
        return name.startsWith("security.") || name.startsWith("system.");
    }

    private static boolean holdsUserAttributes(Attr attr) {
        return Stat.isRegular(attr.mode()) || Stat.isDirectory(attr.mode());
    }
}
