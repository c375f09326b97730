package vitrine.guest.program;

/// Whose requests they are: a version of Linux, and by which way it asks.
///
/// Linux has one FUSE client for virtio-fs and for `/dev/fuse`; but a few things it does on one of
/// them only.
///
/// @param version as `uname -r` begins, such as `6.12`
/// @param virtiofs whether it is virtio-fs, and not `/dev/fuse`
/// @param dax whether it has a DAX window and uses it for all files
public record Client(String version, boolean virtiofs, boolean dax) {

    /// The oldest Linux of which it is known what it sends.
    static final String FIRST = "6.1";

    /// One without a DAX window.
    public Client(String version, boolean virtiofs) {
        this(version, virtiofs, false);
    }

    /// Whether programs say what it should send; it is older otherwise.
    boolean isKnown() {
        return !isBefore(FIRST);
    }

    /// Whether its version comes before another one.
    boolean isBefore(String other) {
        return number(version) < number(other);
    }

    private static long number(String version) {
        String[] parts = version.split("\\.");
        return Long.parseLong(parts[0]) * 1000 + Long.parseLong(parts[1]);
    }

    /// `Linux 6.12`, `Linux 6.18 on /dev/fuse`, or `Linux 6.12 with DAX`.
    @Override
    public String toString() {
        return "Linux " + version + (virtiofs ? "" : " on /dev/fuse") + (dax ? " with DAX" : "");
    }
}
