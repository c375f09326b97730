package vitrine.conformance.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static vitrine.conformance.posix.HostKernel.LIBC;
import static vitrine.conformance.posix.HostKernel.SYS;
import static vitrine.conformance.posix.HostKernel.assertErrno;
import static vitrine.conformance.posix.HostKernel.onOwnThread;
import static vitrine.conformance.posix.HostKernel.onOwnThreads;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import vitrine.conformance.rules.Needs;
import vitrine.dax.EndlessFiles;
import vitrine.posix.Credentials;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Libc;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.session.HostMount;
import vitrine.wire.Name;

/// A thread is who it has to be, for as long as it has to be, and no other thread is.
class CredentialsTest extends FilesOfManyOwners {

    private static final long FSCONFIG = 431;

    /// Two threads make files as two users at once, a third one stays root throughout.
    ///
    /// Caught: one memory of the uid for all threads instead of one for each.
    @Test
    void threadsActAsDifferentUsersAtOnce() throws Exception {
        int rounds = 100;
        CyclicBarrier together = new CyclicBarrier(3);
        List<Executable> bodies = new ArrayList<>();
        for (int who : new int[] {1001, 1002}) {
            bodies.add(() -> {
                Credentials me = new Credentials(SYS);
                together.await();
                for (int i = 0; i < rounds; i++) {
                    me.become(who, who + 1000, NONE);
                    create(who + "-" + i, 0644);
                    me.restore();
                    create("root-" + who + "-" + i, 0600);
                }
            });
        }
        bodies.add(() -> {
            together.await();
            for (int i = 0; i < rounds; i++) {
                create("untouched-" + i, 0600);
            }
        });

        onOwnThreads(bodies);

        for (int i = 0; i < rounds; i++) {
            for (int who : new int[] {1001, 1002}) {
                assertEquals(who, status(who + "-" + i).uid());
                assertEquals(who + 1000, status(who + "-" + i).gid());
                assertEquals(0, status("root-" + who + "-" + i).uid());
                assertEquals(0, status("root-" + who + "-" + i).gid());
            }
            assertEquals(0, status("untouched-" + i).uid());
        }
    }

    /// A supplementary group opens a directory, and only while it is the caller's.
    ///
    /// Caught: groups not passed on; groups left from the caller before.
    @Test
    void supplementaryGroupsAreTheCallersAndNobodyElses() throws Exception {
        SYS.chown(dir, 0, 2222);
        SYS.chmod(dir, 0770);
        onOwnThread(() -> {
            Credentials me = new Credentials(SYS);

            me.become(1001, 1001, new int[] {3333, 2222});
            create("allowed", 0644);
            me.become(1001, 1001, NONE);
            assertErrno(Errno.EACCES, () -> create("refused", 0644));
            me.become(1001, 1001, new int[] {2222});
            create("again", 0644);
            me.become(1002, 1001, NONE);
            assertErrno(Errno.EACCES, () -> create("refused", 0644));
            me.become(1002, 1001, new int[] {2222});
            me.restore();

            assertEquals("Groups:\t ", groups());
            assertEquals(1001, status("again").gid());
        });
    }

    /// CVE-2022-0358: with a group of root's left, a user could make files with a set-group-ID bit
    /// for a group that is not theirs.
    ///
    /// Field report: CVE-2022-0358.
    ///
    /// Caught: the constructor without giving up the groups.
    @Test
    void noGroupOfTheDaemonsIsLeft() throws Exception {
        SYS.chown(dir, 0, 4444);
        SYS.chmod(dir, 03777); // what is made in it belongs to group 4444
        onOwnThread(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment list = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_INT, 4444);
                assertEquals(0, LIBC.syscall(SETGROUPS, 1, list.address(), 0));
            }
            assertEquals("Groups:\t4444 ", groups());

            Credentials me = new Credentials(SYS);
            me.become(1001, 1001, NONE);
            create("file", 02755);
            me.daemon();

            assertEquals("Groups:\t ", groups());
            assertEquals(4444, status("file").gid());
            assertEquals(0755, status("file").mode() & 07777);
        });
    }

    /// A run of requests of one kind costs no call for its identity, and every change has its
    /// price.
    ///
    /// Caught: `change` and `setEffective` without their comparisons; the groups given back by
    /// `daemon`.
    @Test
    void identityIsChangedOnlyWhenItHasToBe() throws Exception {
        onOwnThread(() -> {
            int[] calls = {0};
            InvocationHandler counting = (_, method, arguments) -> {
                calls[0]++;
                return method.invoke(LIBC, arguments);
            };
            Class<?>[] libc = {Libc.class};
            Syscalls counted = new Syscalls((Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), libc, counting));
            Credentials me = new Credentials(counted);

            assertEquals(0, cost(calls, () -> me.daemon()));
            assertEquals(1, cost(calls, () -> me.withoutFsetid(0)));
            assertEquals(0, cost(calls, () -> me.withoutFsetid(0)));
            assertEquals(1, cost(calls, () -> me.daemon()));
            assertEquals(3, cost(calls, () -> me.withoutFsetid(1001))); // setfsgid is asked whether it did
            assertEquals(1, cost(calls, () -> me.daemon()));
            assertEquals(1, cost(calls, () -> me.become(1001, 1001, NONE)));
            assertEquals(0, cost(calls, () -> me.become(1001, 1001, NONE)));
            assertEquals(2, cost(calls, () -> me.become(1002, 1001, NONE)));
            assertEquals(4, cost(calls, () -> me.become(1001, 1002, NONE)));
            assertEquals(1, cost(calls, () -> me.daemon()));
            assertEquals(1, cost(calls, () -> me.become(1001, 1002, NONE)));
            assertEquals(1, cost(calls, () -> me.daemon()));
            assertEquals(2, cost(calls, () -> me.become(1001, 1002, new int[] {7})));
            assertEquals(1, cost(calls, () -> me.daemon()));
            assertEquals(1, cost(calls, () -> me.become(1001, 1002, new int[] {7})));
            assertEquals(3, cost(calls, () -> me.withoutFsetid(1002)));
            assertEquals(1, cost(calls, () -> me.become(1001, 1002, NONE))); // the kernel takes the rest
            assertEquals(1, cost(calls, () -> me.daemon()));
            assertEquals(2, cost(calls, () -> me.become(0, 0, NONE)));
            assertEquals(2, cost(calls, () -> me.become(0, 5, NONE)));
            assertEquals(0, cost(calls, () -> me.daemon()));
            assertEquals(2, cost(calls, () -> me.restore()));
        });
    }

    /// A FUSE file system that root has mounted for itself answers who is root in all ids, but for
    /// those that count for files.
    ///
    /// Caught: the caller's gid as the effective one (setresgid), which the daemon keeps.
    @Test
    void whatRootHasMountedForItselfStillServesTheDaemon() throws Exception {
        try (HostMount mount = HostMount.of(new Syscalls(forRootAlone()), new EndlessFiles(SYS))) {
            onOwnThread(() -> {
                Credentials me = new Credentials(SYS);

                me.become(1001, 1001, new int[] {7});
                assertErrno(Errno.EACCES, () -> SYS.statx(mount.root(), Stat.STATX_ATIME));
                me.daemon();
                SYS.statx(mount.root(), Stat.STATX_ATIME);
                me.withoutFsetid(1002);
                SYS.statx(mount.root(), Stat.STATX_ATIME);
            });
        } catch (ErrnoException e) {
            Needs.that(false, "needs /dev/fuse and CAP_SYS_ADMIN: " + e.getMessage());
        }
    }

    /// The C library, with which FUSE file systems are mounted without `allow_other`.
    private static Libc forRootAlone() {
        InvocationHandler hidden = (_, method, arguments) -> {
            boolean configures = method.getName().equals("syscall") && arguments[0].equals(FSCONFIG);
            return configures && text((long) arguments[3]).equals("allow_other") ? 0L : method.invoke(LIBC, arguments);
        };
        return (Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), new Class<?>[] {Libc.class}, hidden);
    }

    @SuppressWarnings("restricted") // what the caller has just put there
    private static String text(long address) {
        return address == 0
                ? ""
                : MemorySegment.ofAddress(address).reinterpret(4096).getString(0);
    }

    private static int cost(int[] calls, Executable change) throws Throwable {
        int before = calls[0];
        change.execute();
        return calls[0] - before;
    }

    /// The ids -1 mean "no change" to the kernel: a file would be root's.
    ///
    /// Caught: without the check.
    @Test
    void nobodyCanBeTheIdThatMeansNoChange() throws Exception {
        onOwnThread(() -> {
            Credentials me = new Credentials(SYS);

            assertErrno(Errno.EOVERFLOW, () -> me.become(-1, 1001, NONE));
            assertErrno(Errno.EOVERFLOW, () -> me.become(1001, -1, NONE));
            me.become(1001, 1001, NONE);
            assertErrno(Errno.EOVERFLOW, () -> me.become(-1, -1, NONE));
            me.daemon();

            assertEquals(0, SYS.openat(dir, Name.of("x"), Fcntl.O_CREAT, 0600).number() < 0 ? 1 : 0);
            assertEquals(0, status("x").uid());
        });
    }

    /// Identity belongs to a thread; used from another one, an object would remember what is not
    /// so.
    @Test
    void credentialsBelongToTheirThread() throws Exception {
        Credentials[] others = new Credentials[1];
        onOwnThread(() -> others[0] = new Credentials(SYS));

        assertThrows(IllegalStateException.class, () -> others[0].daemon());
    }
}
