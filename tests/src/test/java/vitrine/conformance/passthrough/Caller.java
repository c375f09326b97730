package vitrine.conformance.passthrough;

import java.util.List;
import vitrine.fuse.Extensions;

/// Who asks: the process in the guest, and the supplementary groups that its kernel sends along.
record Caller(int uid, int gid, List<Integer> groups) {

    static final Caller SUPERUSER = new Caller(0, 0, List.of());
    static final Caller USER = new Caller(1000, 1000, List.of());

    /// The same as a member of these groups too.
    Caller in(Integer... groups) {
        return new Caller(uid, gid, List.of(groups));
    }

    /// As the extension of a request that creates something.
    Extensions extensions() {
        return new Extensions(groups, List.of());
    }
}
