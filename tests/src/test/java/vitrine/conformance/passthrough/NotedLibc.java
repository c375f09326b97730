package vitrine.conformance.passthrough;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import vitrine.posix.Libc;

/// The C library, writing down which functions are called, and letting some of them fail.
final class NotedLibc implements InvocationHandler {

    /// One for all tests: who a thread is, is told to the kernel by whatever library it was told
    /// last.
    static final NotedLibc SHARED = new NotedLibc();

    private static final Libc REAL = Libc.load(); // once a process

    private final List<String> noted = new ArrayList<>();
    private final Map<String, ToLongFunction<Object[]>> standIns = new ConcurrentHashMap<>();
    private final Map<String, Runnable> deeds = new ConcurrentHashMap<>();
    private volatile Consumer<MemorySegment> statxChange = _ -> {};
    private volatile Failure failure; // null: there is none
    private volatile boolean noting;

    private NotedLibc() {}

    Libc asLibc() {
        return (Libc) Proxy.newProxyInstance(Libc.class.getClassLoader(), new Class<?>[] {Libc.class}, this);
    }

    /// The names of the functions that the calling thread's `action` calls, in their order.
    synchronized List<String> during(Action action) throws Exception {
        noted.clear();
        noting = true;
        try {
            action.run();
        } finally {
            noting = false;
        }
        return List.copyOf(noted);
    }

    /// From now on this function fails, without being called.
    void fail(String function, int errno) {
        standIn(function, _ -> {
            Libc.setLastErrno(errno);
            return -1L;
        });
    }

    /// The `nth` call of this function from now on fails, without being made.
    void failOnce(String function, int nth, int errno) {
        failure = new Failure(function, new AtomicInteger(nth), errno);
    }

    private record Failure(String function, AtomicInteger left, int errno) {

        boolean isNow(Method method) {
            return method.getName().equals(function) && left.decrementAndGet() == 0;
        }
    }

    /// From now on this answers in the place of this function.
    void standIn(String function, ToLongFunction<Object[]> answer) {
        standIns.put(function, answer);
    }

    /// Somebody else does something right before each call of this function from now on.
    void before(String function, Runnable deed) {
        deeds.put(function, deed);
    }

    /// From now on what `statx` says is changed: to what another host would say.
    void afterStatx(Consumer<MemorySegment> change) {
        statxChange = change;
    }

    /// All functions are called again, and what they say is true.
    void failNothing() {
        standIns.clear();
        deeds.clear();
        failure = null;
        statxChange = _ -> {};
    }

    @Override
    @SuppressWarnings("restricted") // reads what the kernel has written
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (noting) {
            noted.add(method.getName());
        }
        deeds.getOrDefault(method.getName(), () -> {}).run();
        Failure wanted = failure;
        if (wanted != null && wanted.isNow(method)) {
            Libc.setLastErrno(wanted.errno);
            return -1L;
        }
        ToLongFunction<Object[]> standIn = standIns.get(method.getName());
        if (standIn != null) {
            long answer = standIn.applyAsLong(arguments);
            return method.getReturnType() == int.class ? (Object) (int) answer : (Object) answer;
        }
        try {
            Object result = method.invoke(REAL, arguments);
            if (method.getName().equals("statx") && result.equals(0)) {
                statxChange.accept(MemorySegment.ofAddress((Long) arguments[4]).reinterpret(256));
            }
            return result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /// Something that may fail.
    interface Action {
        void run() throws Exception;
    }
}
