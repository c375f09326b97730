package vitrine.conformance.dax;

import static vitrine.conformance.posix.HostKernel.SYS;

import java.util.concurrent.atomic.AtomicInteger;
import vitrine.conformance.rules.Needs;
import vitrine.dax.EndlessFiles;
import vitrine.fuse.InodeRequest;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.session.HostMount;

/// [EndlessFiles], served to this host's kernel.
public final class EndlessHost implements AutoCloseable {

    public final EndlessFiles files = new EndlessFiles(SYS);

    /// How often the kernel has asked for attributes.
    final AtomicInteger asked = new AtomicInteger();

    private final HostMount mount;

    private EndlessHost() throws ErrnoException {
        mount = HostMount.of(SYS, request -> {
            if (request instanceof InodeRequest.Getattr) {
                asked.incrementAndGet();
            }
            return files.answer(request);
        });
        files.useMount(mount.device(), mount.root());
    }

    /// One, if this host can have it.
    public static EndlessHost needed() {
        EndlessHost host = null;
        try {
            host = new EndlessHost();
            try (Fd any = SYS.memfdCreate("any");
                    Fd _ = host.files.open(any)) {
                return host;
            }
        } catch (ErrnoException e) {
            if (host != null) {
                host.close();
            }
            Needs.that(false, "needs Linux 6.9 with FUSE_PASSTHROUGH and CAP_SYS_ADMIN: " + e.getMessage());
            throw new AssertionError("not reached", e);
        }
    }

    Fd root() {
        return mount.root();
    }

    @Override
    public void close() {
        mount.close();
    }
}
