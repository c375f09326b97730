package vitrine.conformance.cost;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import vitrine.posix.Libc;

/// The C library, counting the calls of the threads that serve a request queue.
final class CountedLibc implements InvocationHandler {

    /// The same without counting.
    static final Libc REAL = Libc.load(); // once a process
    private static final String COUNTED = "request-1";

    private final Map<String, Long> counts = new TreeMap<>();

    Libc asLibc() {
        return (Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), new Class<?>[] {Libc.class}, this);
    }

    /// Starts at 0 again.
    synchronized void reset() {
        counts.clear();
    }

    /// The calls so far, by the function's name.
    synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (Thread.currentThread().getName().equals(COUNTED)) {
            count(method.getName()); // before the call: whom it wakes may look at once
        }
        try {
            return method.invoke(REAL, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private synchronized void count(String function) {
        counts.merge(function, 1L, Long::sum);
    }
}
