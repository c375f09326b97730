package vitrine.tap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import vitrine.posix.Libc;
import vitrine.trace.Actor;
import vitrine.trace.Keys;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceEvent.Outcome;

/// The C library, each call of which is told to a trace together with the request that it serves.
public final class TappedLibc {

    private final Libc libc;
    private final Recorder recorder;

    private TappedLibc(Libc libc, Recorder recorder) {
        this.libc = libc;
        this.recorder = recorder.as(Actor.HOST);
    }

    /// A proxy: a decorator for an interface of over fifty methods that all get the same treatment.
    public static Libc tap(Libc libc, Recorder recorder) {
        TappedLibc tap = new TappedLibc(libc, recorder);
        return (Libc) Proxy.newProxyInstance(
                Libc.class.getClassLoader(), new Class<?>[] {Libc.class}, (_, method, args) -> tap.call(method, args));
    }

    private Object call(Method method, Object[] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return pass(method, args); // equals, hashCode, toString
        }
        long start = System.nanoTime();
        Object result = pass(method, args);
        long nanos = System.nanoTime() - start;

        int errno = Libc.lastErrno();
        tell(method.getName(), args == null ? new Object[0] : args, new Outcome(number(result), errno, nanos));
        Libc.setLastErrno(errno); // whatever the trace did meanwhile: the caller looks at it next
        return result;
    }

    private Object pass(Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(libc, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static long number(Object result) {
        return result instanceof Number number ? number.longValue() : 0;
    }

    /// `errno` means something only after a call that failed, and those all say -1.
    private void tell(String name, Object[] args, Outcome outcome) {
        Keys keys = TappedFileSystem.SERVED.isBound() ? TappedFileSystem.SERVED.get() : Keys.NONE;
        Outcome told = outcome.result() == -1 ? outcome : new Outcome(outcome.result(), 0, outcome.nanos());
        CallText text = CallText.of(name, args);
        recorder.add(new HostCall(recorder.stamp(keys), text.name(), text.arguments(), told));
    }
}
