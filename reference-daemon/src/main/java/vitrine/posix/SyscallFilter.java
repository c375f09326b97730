package vitrine.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static vitrine.posix.Syscalls.checked;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/// What becomes of a system call that no daemon makes: seccomp(2).
///
/// The kernel asks a little program before each call of the thread, and of all that it starts
/// later. It gets `struct seccomp_data` (number, architecture, six arguments) and its answer is an
/// action. The calls that it lets through are [AllowedCalls].
public enum SyscallFilter {
    /// It fails with `EPERM`.
    DENY(0x00050000 | Errno.EPERM),
    /// The process is killed, as by `SIGSYS`.
    KILL(0x80000000),
    /// The thread gets `SIGSYS`.
    TRAP(0x00030000),
    /// It is made, and the kernel's log says so.
    LOG(0x7ffc0000),
    /// It is made: there is no filter.
    NONE(0x7fff0000);

    private static final int ALLOW = 0x7fff0000;
    private static final int UNKNOWN_CALL = 0x00050000 | Errno.ENOSYS;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final long SECCOMP_SET_MODE_FILTER = 1;
    private static final long SECCOMP_FILTER_FLAG_SPEC_ALLOW = 4; // or each call pays for it

    // struct seccomp_data
    private static final int NR = 0;
    private static final int ARCH = 4;
    private static final int ARGUMENT_0 = 16; // its lower half

    // linux/filter.h
    private static final int LOAD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;

    private final int action;

    SyscallFilter(int action) {
        this.action = action;
    }

    /// Puts the calling thread under the filter, for good.
    ///
    /// @throws ErrnoException if the kernel knows no seccomp
    public void enter(Syscalls sys) throws ErrnoException {
        if (this == NONE) {
            return;
        }
        Libc libc = sys.libc();
        try (Arena arena = Arena.ofConfined()) {
            Program program = program(arena);
            MemorySegment fprog = arena.allocate(16, Long.BYTES);
            fprog.set(JAVA_SHORT, 0, (short) program.length);
            fprog.set(JAVA_LONG, 8, program.code.address());
            checked("prctl", libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); // what anybody has to promise but root
            checked(
                    "seccomp",
                    libc.syscall(
                            SyscallNumber.SECCOMP.number,
                            SECCOMP_SET_MODE_FILTER,
                            SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                            fprog.address()));
        }
    }

    private Program program(Arena arena) {
        boolean arm = System.getProperty("os.arch").equals("aarch64");
        ToIntFunction<AllowedCalls.Call> number = call -> arm ? call.arm() : call.x86();
        Program program = new Program(arena);
        program.add(LOAD, 0, 0, ARCH);
        program.add(JUMP_IF_EQUAL, 1, 0, arm ? 0xC00000B7 : 0xC000003E); // else a number means something else
        program.add(RETURN, 0, 0, action);
        program.add(LOAD, 0, 0, NR);
        for (AllowedCalls.Call call : AllowedCalls.ALL) {
            program.add(JUMP_IF_EQUAL, 0, 1, number.applyAsInt(call));
            program.add(RETURN, 0, 0, ALLOW);
        }
        // Threads are made, namespaces are not. What clone3 is to make, no filter can see: without
        // it, the C library takes clone.
        program.add(JUMP_IF_EQUAL, 0, 1, AllowedCalls.CLONE3.x86());
        program.add(RETURN, 0, 0, UNKNOWN_CALL);
        program.add(JUMP_IF_EQUAL, 0, 3, number.applyAsInt(AllowedCalls.CLONE));
        program.add(LOAD, 0, 0, ARGUMENT_0);
        program.add(JUMP_IF_ANY_BIT, 4, 3, AllowedCalls.CLONE_NEW_NAMESPACES);
        program.add(JUMP_IF_EQUAL, 0, 3, number.applyAsInt(AllowedCalls.UNSHARE));
        program.add(LOAD, 0, 0, ARGUMENT_0);
        program.add(JUMP_IF_EQUAL, 0, 1, Sandbox.CLONE_FS);
        program.add(RETURN, 0, 0, ALLOW);
        program.add(RETURN, 0, 0, action);
        return program;
    }

    /// `struct sock_filter`, one after the other.
    private static final class Program {

        private final MemorySegment code;
        private int length;

        Program(Arena arena) {
            code = arena.allocate(8L * (AllowedCalls.ALL.size() * 2L + 16), 8);
        }

        /// @param ifTrue how many instructions to pass over
        void add(int instruction, int ifTrue, int ifFalse, int operand) {
            long at = 8L * length++;
            code.set(JAVA_SHORT, at, (short) instruction);
            code.set(JAVA_BYTE, at + 2, (byte) ifTrue);
            code.set(JAVA_BYTE, at + 3, (byte) ifFalse);
            code.set(JAVA_INT, at + 4, operand);
        }
    }
}
