package vitrine.conformance.passthrough;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// An ACL with an entry for one more user, as the kernel writes it (`linux/posix_acl_xattr.h`).
///
/// @param owner what the owner may, as in a mode: 0 to 7
/// @param user what `userId` may, who is not the owner
/// @param group what the group may
/// @param mask what user and group may at most
/// @param other what all others may
public record Acl(int owner, int user, int userId, int group, int mask, int other) {

    /// The ACL of a file.
    public static final String ACCESS = "system.posix_acl_access";

    /// The ACL that a directory gives to what is made in it.
    public static final String DEFAULT = "system.posix_acl_default";

    private static final int NOBODY = -1;

    /// The value of the attribute.
    public byte[] bytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN).putInt(2); // the version
        entry(bytes, 0x01, owner, NOBODY);
        entry(bytes, 0x02, user, userId);
        entry(bytes, 0x04, group, NOBODY);
        entry(bytes, 0x10, mask, NOBODY);
        entry(bytes, 0x20, other, NOBODY);
        return bytes.array();
    }

    private static void entry(ByteBuffer bytes, int tag, int permissions, int id) {
        bytes.putShort((short) tag).putShort((short) permissions).putInt(id);
    }
}
