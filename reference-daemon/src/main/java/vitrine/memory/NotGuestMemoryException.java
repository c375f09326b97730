package vitrine.memory;

/// An address that the guest or the front end gave is not, or not with that length, in one region.
///
/// Whoever gave it is wrong, and the request or the ring that it was for fails. No stack trace: a
/// guest could ask for a million of them a second.
public final class NotGuestMemoryException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String kind;
    private final long address;
    private final long length;

    /// @param kind which sort of address: `guest` or `user`
    /// @param address as it was given, unsigned
    /// @param length in bytes, as it was given, unsigned
    public NotGuestMemoryException(String kind, long address, long length) {
        super(null, null, false, false);
        this.kind = kind;
        this.address = address;
        this.length = length;
    }

    /// For example `not guest memory: 4096 bytes at guest address 0xfee00000`.
    @Override
    public String getMessage() {
        return "not guest memory: %s bytes at %s address 0x%x".formatted(Long.toUnsignedString(length), kind, address);
    }
}
