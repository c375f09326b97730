package vitrine.visualizer.scenario;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import vitrine.posix.Libc;
import vitrine.trace.Trace;
import vitrine.trace.TraceEvent;

/// Lets an [Intrusion] happen at its step: it counts the events, and stands between the daemon and
/// the host.
final class Intruder implements Trace {

    private final Optional<Intrusion> intrusion;
    private final Path share;
    private final Trace trace;
    private int seen;

    /// @param trace where the events go
    Intruder(Optional<Intrusion> intrusion, Path share, Trace trace) {
        this.intrusion = intrusion;
        this.share = share;
        this.trace = trace;
    }

    @Override
    public void add(TraceEvent event) {
        trace.add(event);
        seen++;
        intrusion.filter(what -> what.from() == seen).ifPresent(what -> what.act(share));
    }

    /// Counts from here.
    void begin() {
        seen = 0;
    }

    /// The C library, some calls of which fail once it is time.
    Libc between(Libc libc) {
        return intrusion.isEmpty()
                ? libc
                : (Libc) Proxy.newProxyInstance(
                        Libc.class.getClassLoader(),
                        new Class<?>[] {Libc.class},
                        (_, method, arguments) -> call(libc, method, arguments));
    }

    private Object call(Libc libc, Method method, Object[] arguments) throws Throwable {
        Intrusion.What what = intrusion.orElseThrow().what();
        if (seen >= intrusion.orElseThrow().from() && what.calls().contains(method.getName())) {
            Libc.setLastErrno(what.errno());
            return method.getReturnType() == long.class ? (Object) (-1L) : (Object) (-1);
        }
        try {
            return method.invoke(libc, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
