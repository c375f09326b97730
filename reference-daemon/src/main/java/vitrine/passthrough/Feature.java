package vitrine.passthrough;

/// What can be switched on and off in a file system, see [PassthroughOptions].
public enum Feature {
    /// The guest may change nothing, see [ReadOnly].
    READ_ONLY,
    /// `O_NOATIME` in the guest counts on the host. It is only for the owner of a file: where the
    /// daemon is neither that nor root, an open that the guest's kernel has permitted fails.
    PRESERVE_NOATIME,
    /// There are extended attributes. Without, the guest stops to ask for them, which saves a
    /// request for each small write of an agreement without [#KILLPRIV_V2].
    XATTR,
    /// ACLs of the host are the guest's, if its kernel offers all of POSIX_ACL, DONT_MASK and
    /// SETXATTR_EXT. Without, there are none for the guest, and no attributes by their names.
    POSIX_ACL,
    /// A guest that does not offer them is refused: with [#POSIX_ACL].
    REQUIRE_POSIX_ACL,
    /// What is made gets the label that the guest's security module has for it, see [Labels].
    SECURITY_LABEL,
    /// A guest that does not offer to send labels is refused: with [#SECURITY_LABEL].
    REQUIRE_SECURITY_LABEL,
    /// HANDLE_KILLPRIV_V2 is taken if the guest offers it, see [Negotiation].
    KILLPRIV_V2,
    /// The guest may delay writes: fast, and lost if the guest dies.
    WRITEBACK,
    /// Attributes may come along with a directory listing.
    READDIRPLUS,
    /// `O_DIRECT` in the guest passes by the host's page cache too; without, only the guest's is
    /// passed by.
    ALLOW_DIRECT_IO,
    /// A file may be mapped shared although its contents are not cached (`NEVER`, `METADATA`): the
    /// mapped pages are.
    ALLOW_MMAP,
    /// A file system that is mounted inside the share is one of its own in the guest too, so that
    /// two files never seem to have the same inode number.
    ANNOUNCE_SUBMOUNTS,
    /// Mounts in the guest may map identities. Then a guest says who asks only where something is
    /// made, and where set-ID bits are concerned it is a guess, see [SetIdBits].
    IDMAPPED_MOUNTS,
    /// Locks of fcntl(2) hold against other guests and the host; without, they cost no request and
    /// hold among the processes of one guest.
    POSIX_LOCKS,
    /// The same for flock(2).
    FLOCKS
}
