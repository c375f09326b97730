package vitrine.guest.tap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.kernel.FileMapping;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.OpenFile;
import vitrine.guest.kernel.Task;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.tap.FlagNames;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.GuestCallEntered;
import vitrine.trace.TraceEvent.GuestCallReturned;

/// A guest's kernel whose system calls are told to a trace, numbered from 1.
public final class TappedKernel {

    /// The system call that the calling thread is in: joins requests to what caused them.
    static final ScopedValue<Long> CALL = ScopedValue.newInstance();

    private static final Map<String, String> SYSTEM_CALLS = Map.ofEntries(
            Map.entry("flush", "close"),
            Map.entry("submitRead", "io_submit"),
            Map.entry("submitWrite", "io_submit"),
            Map.entry("seek", "lseek"),
            Map.entry("copyFileRange", "copy_file_range"),
            Map.entry("lock", "fcntl"),
            Map.entry("lockInTheWay", "fcntl"),
            Map.entry("getdents", "getdents64"),
            Map.entry("readDirectory", "getdents64"),
            Map.entry("fileFlags", "ioctl"),
            Map.entry("setFileFlags", "ioctl"),
            Map.entry("utimens", "utimensat"),
            Map.entry("sync", "syncfs"));

    private final GuestKernel kernel;
    private final Recorder recorder;
    private final AtomicLong calls = new AtomicLong();

    private TappedKernel(GuestKernel kernel, Recorder recorder) {
        this.kernel = kernel;
        this.recorder = recorder.as(Actor.GUEST_PROGRAM);
    }

    /// A proxy: a decorator for an interface of over thirty methods that all get the same
    /// treatment.
    public static GuestKernel tap(GuestKernel kernel, Recorder recorder) {
        TappedKernel tap = new TappedKernel(kernel, recorder);
        return (GuestKernel) Proxy.newProxyInstance(
                GuestKernel.class.getClassLoader(),
                new Class<?>[] {GuestKernel.class},
                (_, method, args) -> tap.call(method, args == null ? new Object[0] : args));
    }

    /// What joins an event to the system call that the calling thread is in.
    static Keys keys() {
        return CALL.isBound() ? Keys.ofGuestCall(CALL.get()) : Keys.NONE;
    }

    private Object call(Method method, Object[] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return pass(method, args); // equals, hashCode, toString
        }
        long number = calls.incrementAndGet();
        Keys keys = Keys.ofGuestCall(number);
        String name = name(method);
        recorder.add(new GuestCallEntered(recorder.stamp(keys), name, text(name, args)));
        try {
            Object result = ScopedValue.where(CALL, number).call(() -> pass(method, args));
            recorder.add(new GuestCallReturned(recorder.stamp(keys), name, number(result), 0));
            return result;
        } catch (ErrnoException e) {
            recorder.add(new GuestCallReturned(recorder.stamp(keys), name, -1, e.errno()));
            throw e;
        } catch (BusErrorException e) {
            recorder.add(new GuestCallReturned(recorder.stamp(keys), name, -1, Errno.EFAULT));
            throw e;
        }
    }

    /// As in the man page of the system call that the method is.
    private static String name(Method method) {
        String name = method.getName();
        return name.equals("close") && method.getParameterCount() == 0
                ? "umount"
                : SYSTEM_CALLS.getOrDefault(name, name);
    }

    private Object pass(Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(kernel, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static long number(Object result) {
        return switch (result) {
            case Number number -> number.longValue();
            case byte[] bytes -> bytes.length;
            case null, default -> 0;
        };
    }

    private static String text(String name, Object[] args) {
        if (name.equals("open")) {
            int flags = (int) args[2];
            boolean makes = (flags & Fcntl.O_CREAT) != 0 || (flags & Fcntl.O_TMPFILE) == Fcntl.O_TMPFILE;
            String mode = makes ? ", 0" + Integer.toOctalString((int) args[3]) : "";
            return "\"" + args[1] + "\", " + FlagNames.open(flags) + mode;
        }
        boolean atStartOfPage = Set.of("pread", "pwrite").contains(name) && args[args.length - 1].equals(0);
        StringJoiner text = new StringJoiner(", ");
        for (Object arg : Arrays.asList(args).subList(0, args.length - (atStartOfPage ? 1 : 0))) {
            switch (arg) {
                case Task _ -> {} // who calls is in the request's header
                case OpenFile file -> text.add("node " + file.nodeid());
                case FileMapping mapping ->
                    text.add("node %d from %d".formatted(mapping.file().nodeid(), mapping.offset()));
                case byte[] bytes -> text.add(bytes.length + " bytes");
                case String string -> text.add("\"" + string + "\"");
                case null -> text.add("now");
                default -> text.add(arg.toString());
            }
        }
        return text.toString();
    }
}
