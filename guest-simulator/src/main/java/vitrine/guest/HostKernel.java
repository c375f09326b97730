package vitrine.guest;

import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// The host's kernel, as machines use it for memory, eventfds and sockets: bound once a process, when
/// the first machine is built.
final class HostKernel {

    static final Syscalls CALLS = new Syscalls(Libc.load());

    private HostKernel() {}
}
