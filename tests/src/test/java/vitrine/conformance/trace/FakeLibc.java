package vitrine.conformance.trace;

import java.lang.reflect.Proxy;
import vitrine.posix.Libc;

/// A C library that gives one answer to everything.
final class FakeLibc {

    private FakeLibc() {}

    /// Each function returns `result` and leaves `errno` behind.
    static Libc answering(int result, int errno) {
        return (Libc)
                Proxy.newProxyInstance(Libc.class.getClassLoader(), new Class<?>[] {Libc.class}, (_, method, _) -> {
                    Libc.setLastErrno(errno);
                    return method.getReturnType() == long.class ? (Object) (long) result : (Object) result;
                });
    }
}
