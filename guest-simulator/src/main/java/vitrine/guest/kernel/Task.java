package vitrine.guest.kernel;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Who makes a system call: what the kernel knows of a program when it decides what it may do.
///
/// @param pid the process number, shown in request headers
/// @param uid file-system user id
/// @param gid file-system group id
/// @param groups supplementary groups
/// @param capabilities effective capabilities
/// @param umask permission bits that newly made files do not get
public record Task(int pid, int uid, int gid, List<Integer> groups, Set<Capability> capabilities, int umask) {

    /// Copies the collections.
    public Task {
        groups = List.copyOf(groups);
        capabilities = Set.copyOf(capabilities);
    }

    /// The superuser: every capability, umask 022.
    public static Task root(int pid) {
        return new Task(pid, 0, 0, List.of(), EnumSet.allOf(Capability.class), 022);
    }

    /// An ordinary user: no capability, umask 022.
    public static Task user(int pid, int uid, int gid, Integer... groups) {
        return new Task(pid, uid, gid, List.of(groups), Set.of(), 022);
    }

    /// The same with another umask.
    public Task withUmask(int newUmask) {
        return new Task(pid, uid, gid, groups, capabilities, newUmask & 0777);
    }

    /// Whether the capability is effective.
    public boolean can(Capability capability) {
        return capabilities.contains(capability);
    }

    /// Whether `group` is the task's own or one of its supplementary groups.
    public boolean inGroup(int group) {
        return gid == group || groups.contains(group);
    }
}
