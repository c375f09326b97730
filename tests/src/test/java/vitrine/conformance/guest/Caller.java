package vitrine.conformance.guest;

import java.util.Arrays;
import vitrine.guest.Machine;
import vitrine.guest.process.GuestProcess;

/// Who does something to a file of 1000:2000.
enum Caller {
    ROOT(0, 0),
    OWNER(PrivilegedFile.OWNER, PrivilegedFile.OWNER),
    MEMBER(PrivilegedFile.OWNER, PrivilegedFile.OWNER, PrivilegedFile.GROUP),
    STRANGER(1001, 1001),
    GROUPMATE(1001, PrivilegedFile.GROUP);

    private final int uid;
    private final int gid;
    private final Integer[] groups;

    Caller(int uid, int gid, Integer... groups) {
        this.uid = uid;
        this.gid = gid;
        this.groups = groups;
    }

    static Caller named(String name) {
        return valueOf(name.toUpperCase(java.util.Locale.ROOT));
    }

    int gid() {
        return gid;
    }

    /// As a program in the guest.
    GuestProcess in(Machine machine) {
        return this == ROOT ? machine.rootProgram() : machine.userProgram(uid, gid, groups);
    }

    /// As a program on the host.
    Program on(HostRoot host, int slots) {
        int[] supplementary = Arrays.stream(groups).mapToInt(Integer::intValue).toArray();
        return new HostProgram(host, new HostRoot.Who(uid, gid, supplementary), slots);
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
