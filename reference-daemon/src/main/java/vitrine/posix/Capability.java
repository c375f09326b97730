package vitrine.posix;

import static vitrine.posix.Syscalls.checked;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// What root may do, piece by piece, in the order of their numbers (capabilities(7)).
public enum Capability {
    CHOWN,
    DAC_OVERRIDE,
    DAC_READ_SEARCH,
    FOWNER,
    FSETID,
    KILL,
    SETGID,
    SETUID,
    SETPCAP,
    LINUX_IMMUTABLE,
    NET_BIND_SERVICE,
    NET_BROADCAST,
    NET_ADMIN,
    NET_RAW,
    IPC_LOCK,
    IPC_OWNER,
    SYS_MODULE,
    SYS_RAWIO,
    SYS_CHROOT,
    SYS_PTRACE,
    SYS_PACCT,
    SYS_ADMIN,
    SYS_BOOT,
    SYS_NICE,
    SYS_RESOURCE,
    SYS_TIME,
    SYS_TTY_CONFIG,
    MKNOD,
    LEASE,
    AUDIT_WRITE,
    AUDIT_CONTROL,
    SETFCAP,
    MAC_OVERRIDE,
    MAC_ADMIN,
    SYSLOG,
    WAKE_ALARM,
    BLOCK_SUSPEND,
    AUDIT_READ,
    PERFMON,
    BPF,
    CHECKPOINT_RESTORE;

    private static final int PR_CAPBSET_DROP = 24;

    /// What a daemon needs to serve every user of a guest: files of theirs, links to devices, file
    /// handles, chattr(1).
    public static final Set<Capability> OF_A_DAEMON = Set.copyOf(EnumSet.of(
            CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, FSETID, SETGID, SETUID, LINUX_IMMUTABLE, MKNOD, SETFCAP));

    /// The set as a person asks for it.
    ///
    /// @param base what there is without
    /// @param changes for example `+sys_admin:-mknod`; empty: none
    /// @throws IllegalArgumentException naming the item that is none
    public static Set<Capability> modified(Set<Capability> base, String changes) {
        Set<Capability> set = EnumSet.copyOf(base);
        for (String change : changes.isEmpty() ? new String[0] : changes.split(":")) {
            Capability capability = change.isEmpty() ? null : named(change.substring(1));
            if (capability == null || "+-".indexOf(change.charAt(0)) < 0) {
                throw new IllegalArgumentException("'" + change + "' is no change of capabilities, as +sys_admin is");
            }
            if (change.charAt(0) == '+') {
                set.add(capability);
            } else {
                set.remove(capability);
            }
        }
        return set;
    }

    private static Capability named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        for (Capability capability : values()) {
            if (upper.equals(capability.name()) || upper.equals("CAP_" + capability.name())) {
                return capability;
            }
        }
        return null;
    }

    /// Lets the calling thread, and those that it starts later, have no capability but these, and
    /// never get another one. Those that it has not are not gained.
    public static void keepOnly(Set<Capability> wanted, Syscalls sys) throws ErrnoException {
        Capabilities held = new Capabilities(sys.libc());
        held.get();
        long bits = 0;
        for (Capability capability : values()) {
            long bit = 1L << capability.ordinal();
            if (wanted.contains(capability)) {
                bits |= bit;
            } else if ((held.effective() & bit(SETPCAP)) != 0) {
                // A kernel older than the capability answers EINVAL: there is nothing to drop.
                int result = sys.libc().prctl(PR_CAPBSET_DROP, capability.ordinal(), 0, 0, 0);
                if (result == -1 && Libc.lastErrno() != Errno.EINVAL) {
                    checked("prctl", result);
                }
            }
        }
        held.setAll(held.permitted() & bits);
    }

    /// Whether the calling thread has this one.
    public boolean isHeld(Syscalls sys) throws ErrnoException {
        Capabilities held = new Capabilities(sys.libc());
        held.get();
        return (held.effective() & bit(this)) != 0;
    }

    private static long bit(Capability capability) {
        return 1L << capability.ordinal();
    }
}
