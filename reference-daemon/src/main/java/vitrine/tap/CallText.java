package vitrine.tap;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import vitrine.posix.Fcntl;
import vitrine.posix.SyscallNumber;

/// A call of the C library as a person would write it: `pwritev2(fd 12, 4096 bytes, offset 0)`.
///
/// @param name of the function, or of the system call that `syscall` makes
/// @param arguments without the parentheses; pointers that say nothing and flags that are 0 left
///     out
record CallText(String name, String arguments) {

    /// What the arguments of each function are: one word each, `iov` for two, `-` for what is not
    /// told.
    private static final String TABLE = """
            openat fd path open mode
            close fd
            statx fd path at - -
            preadv2 fd iov offset rwf
            pwritev2 fd iov offset rwf
            read fd - size
            write fd - size
            lseek fd offset whence
            copy_file_range fd - fd - size flags
            fallocate fd allocation offset size
            truncate path size
            ftruncate fd size
            fsync fd
            fdatasync fd
            syncfs fd
            fstatfs fd -
            getdents64 fd - size
            fcntl fd command -
            flock fd locking
            ioctl fd ioctl -
            mkdirat fd path mode
            mknodat fd path mode device
            symlinkat path fd path
            linkat fd path fd path at
            unlinkat fd path at
            renameat2 fd path fd path renaming
            name_to_handle_at fd path - - at
            open_by_handle_at fd - open
            readlinkat fd path - size
            fchmodat fd path mode at
            faccessat fd path number -
            fchownat fd path uid gid at
            utimensat fd path - at
            setxattr path path - size flags
            getxattr path path - size
            listxattr path - size
            removexattr path path
            fremovexattr fd path
            memfd_create path flags
            mmap - size flags flags fd offset
            munmap - size
            eventfd number flags
            epoll_ctl fd number fd -
            epoll_wait fd - - timeout
            poll - number timeout
            accept4 fd - - flags
            bind fd - -
            connect fd - -
            listen fd number
            recvmsg fd - flags
            sendmsg fd - flags
            shutdown fd number
            socketpair number number number -
            umask mode
            unshare flags
            chroot path
            fchdir fd
            mount path path - flags -
            umount2 path flags
            pivot_root path path
            prctl number number
            setresuid uid uid uid
            setfsgid gid
            setgroups number -
            getresuid - - -
            getresgid - - -
            getgroups number -
            capget - -
            capset - capabilities
            """;

    private static final Map<String, List<String>> KINDS = new HashMap<>();

    static {
        TABLE.lines().forEach(line -> {
            List<String> words = List.of(line.split(" "));
            KINDS.put(words.getFirst(), words.subList(1, words.size()));
        });
    }

    private static final int LONGEST_PATH = 4096;
    private static final long CAP_FSETID = 1L << 4;

    /// @param args as they were handed over: numbers, addresses among them
    static CallText of(String function, Object[] args) {
        long[] numbers = new long[args.length];
        for (int i = 0; i < args.length; i++) {
            numbers[i] = args[i] instanceof Number number ? number.longValue() : 0;
        }
        String name = function;
        int first = 0;
        if (function.equals("syscall") && numbers.length > 0) {
            name = SyscallNumber.nameOf(numbers[0]);
            first = 1;
        }
        return new CallText(name, arguments(KINDS.get(name), numbers, first));
    }

    private static String arguments(List<String> kinds, long[] numbers, int first) {
        StringJoiner text = new StringJoiner(", ");
        int at = first;
        for (int i = 0; at < numbers.length && (kinds == null || i < kinds.size()); i++) {
            String kind = kinds == null ? "number" : kinds.get(i);
            String argument = kind.equals("iov") ? iov(numbers[at], numbers[++at]) : argument(kind, numbers[at]);
            if (!argument.isEmpty()) {
                text.add(argument);
            }
            at++;
        }
        return text.toString();
    }

    private static String argument(String kind, long value) {
        return switch (kind) {
            case "fd" -> value == Fcntl.AT_FDCWD ? "AT_FDCWD" : "fd " + value;
            case "path" -> path(value);
            case "open" -> FlagNames.open((int) value);
            case "at" -> FlagNames.at((int) value);
            case "allocation" -> FlagNames.allocation((int) value);
            case "renaming" -> FlagNames.renaming((int) value);
            case "locking" -> FlagNames.locking((int) value);
            case "command" -> FlagNames.command((int) value);
            case "whence" -> FlagNames.whence((int) value);
            case "mode" -> value == 0 ? "" : "mode 0" + Long.toOctalString(value);
            case "flags" -> value == 0 ? "" : "flags 0x" + Long.toHexString(value);
            case "rwf" -> value == Fcntl.RWF_APPEND ? "RWF_APPEND" : argument("flags", value);
            case "ioctl" -> "0x" + Long.toHexString(value);
            case "size" -> value + " bytes";
            case "device" -> value == 0 ? "" : "device 0x" + Long.toHexString(value);
            case "capabilities" -> capabilities(value);
            case "number" -> String.valueOf(value);
            case "-" -> "";
            default -> kind + " " + value;
        };
    }

    /// The text at an address that the daemon has just handed to the kernel.
    private static String path(long address) {
        String path = address == 0 ? "" : memory(address, LONGEST_PATH).getString(0);
        return path.isEmpty() ? "" : "\"" + path + "\""; // none: the descriptor before it is meant
    }

    private static String iov(long address, long count) {
        long bytes = 0;
        for (long i = 0; i < count; i++) {
            bytes += memory(address + 16 * i, 16).get(JAVA_LONG, Long.BYTES); // iov_len
        }
        return bytes + " bytes" + (count > 1 ? " in " + count + " parts" : "");
    }

    /// The effective set of `capset`, and the one of them that decides about set-ID bits.
    private static String capabilities(long address) {
        MemorySegment sets = memory(address, 24); // twice three words: lower and upper 32 bits
        long effective = Integer.toUnsignedLong(sets.get(JAVA_INT, 0)) | (long) sets.get(JAVA_INT, 12) << 32;
        String fsetid = (effective & CAP_FSETID) == 0 ? ", no FSETID" : ", FSETID";
        return "effective 0x" + Long.toHexString(effective) + fsetid;
    }

    @SuppressWarnings("restricted") // the address is one of our own, good for the call that was just made
    private static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
