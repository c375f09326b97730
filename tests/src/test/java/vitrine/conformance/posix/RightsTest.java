package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.LIBC;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;
import static vitrine.conformance.posix.HostKernel.onOwnThread;

import org.junit.jupiter.api.Test;
import vitrine.posix.Credentials;
import vitrine.posix.Errno;
import vitrine.posix.Fd;
import vitrine.wire.Name;

/// What a thread may do in each of its states: its capabilities.
class RightsTest extends FilesOfManyOwners {

    /// The host's permissions decide: the daemon's right to override them is not the caller's.
    ///
    /// Caught: `become` with the daemon's capabilities.
    @Test
    void aCallersOwnRightsDecide() throws Exception {
        SYS.chmod(dir, 0755);
        SYS.mkdirat(dir, Name.of("private"), 0700);
        Fd inside = HostKernel.directory(temp.resolve("private"));
        onOwnThread(() -> {
            Credentials me = new Credentials(SYS);
            String before = capabilities();

            me.become(1001, 1001, NONE);
            assertErrno(Errno.EACCES, () -> create("mine", 0644));
            assertErrno(Errno.EPERM, () -> SYS.chown(dir, 1001, 1001));
            assertEquals("CapEff:\t0000000000000000", capabilities());
            me.daemon();
            create("not-mine", 0644);

            assertEquals(before, capabilities());
            assertTrue(me.privileged());
        });
        inside.close();
    }

    /// Without the caller's groups, the guest's kernel alone can know whether they may.
    ///
    /// Caught: without `CAP_DAC_OVERRIDE`; with all of the daemon's capabilities.
    @Test
    void aCallerWhoseGroupsAreUnknownWasCheckedByTheGuest() throws Exception {
        SYS.chmod(dir, 0700);
        onOwnThread(() -> {
            Credentials me = new Credentials(SYS);

            me.becomeOverruling(1001, 1002);
            create("theirs", 0644);
            String then = capabilities();
            assertErrno(Errno.EPERM, () -> SYS.chown(dir, 1001, 1001));
            me.become(1001, 1002, NONE);
            assertErrno(Errno.EACCES, () -> create("another", 0644));
            me.daemon();

            assertEquals("CapEff:\t0000000000000002", then);
            assertEquals(1001, status("theirs").uid());
            assertEquals(1002, status("theirs").gid());
        });
    }

    /// fuse.h: `FUSE_WRITE_KILL_SUIDGID`. Without the capability the host kernel clears the bits in
    /// the same step in which it writes; with it they stay.
    ///
    /// Caught: `withoutFsetid` with the daemon's whole set; the lower and upper half of the set
    /// exchanged.
    @Test
    void aWriteWithoutFsetidClearsSetIdBits() throws Exception {
        onOwnThread(() -> {
            Credentials me = new Credentials(SYS);
            Fd file = create("program", 0);
            SYS.chown(file, 1001, 1001);
            String before = capabilities();

            SYS.chmod(file, 06755);
            me.daemon();
            write(file);
            int asDaemon = status("program").mode();
            me.withoutFsetid(0);
            write(file);
            int without = status("program").mode();
            SYS.chmod(file, 04755); // and nothing else is forbidden
            SYS.truncate(file, 1);
            int truncated = status("program").mode();
            me.daemon();

            assertEquals(06755, asDaemon & 07777);
            assertEquals(0755, without & 07777);
            assertEquals(0755, truncated & 07777);
            assertEquals(before, capabilities());
        });
    }

    /// A set-group-ID bit without group execution stays if the writer is in the group: the caller,
    /// not the daemon, whose group 0 is as much a stranger's as any.
    ///
    /// Caught: the daemon's own group kept.
    @Test
    void theCallersGroupDecidesWhetherTheMarkOfAGroupStays() throws Exception {
        onOwnThread(() -> {
            Credentials me = new Credentials(SYS);
            Fd file = create("data", 0);
            for (int group : new int[] {0, 1001}) {
                SYS.chown(file, 1000, group);
                for (int writer : new int[] {0, 1001}) {
                    me.daemon();
                    SYS.chmod(file, 02767);
                    me.withoutFsetid(writer);
                    write(file);

                    assertEquals(writer == group ? 02767 : 0767, status("data").mode() & 07777);
                }
            }
        });
    }

    /// A daemon that no root started serves its own user, and says what it cannot do.
    ///
    /// Caught: `privileged` always true (the change to oneself fails).
    @Test
    void withoutPrivilegesOnlyOnesOwnIdentityIsToBeHad() throws Exception {
        onOwnThread(() -> {
            assertEquals(0, LIBC.syscall(SETRESUID, 1234, 1234, 1234));
            Credentials me = new Credentials(SYS);

            assertFalse(me.privileged());
            me.become(1234, 0, NONE);
            me.become(1234, 0, new int[] {99});
            me.withoutFsetid(99);
            me.daemon();
            assertErrno(Errno.EPERM, () -> me.become(1235, 0, NONE));
            assertErrno(Errno.EPERM, () -> me.become(1234, 1, NONE));
            assertErrno(Errno.EPERM, () -> me.becomeOverruling(0, 0));
            create("own", 0600);

            assertEquals(1234, status("own").uid());
        });
    }
}
