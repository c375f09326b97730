package vitrine.conformance.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InitOut;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.session.HostMount;

/// On which condition a kernel takes ALLOW_IDMAP.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class IdmappedMountsTest {

    private static final Syscalls SYS = new Syscalls(Libc.load());

    @TempDir
    private Path share;

    private final AtomicBoolean offered = new AtomicBoolean();

    /// Linux takes it only where it checks permissions itself (`default_permissions`, which ACLs
    /// bring along), and loses the connection otherwise. The mount here has no such option; that of
    /// virtiofs always has (`KillPrivBridgeTest` is about such a one), so we may announce it.
    ///
    /// Field report: libkrun #568.
    ///
    /// Caught: ALLOW_IDMAP taken although the feature is off.
    @ParameterizedTest
    @CsvSource({"false, false, done", "true, false, ECONNREFUSED", "true, true, done"})
    void itTakesAKernelThatChecksPermissions(boolean idmapped, boolean acls, String outcome) throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        PassthroughOptions options = PassthroughOptions.DEFAULT
                .with(Feature.IDMAPPED_MOUNTS, idmapped)
                .with(Feature.POSIX_ACL, acls)
                .with(Feature.XATTR, acls);

        try (PassthroughFs fileSystem = new PassthroughFs(SYS, share.toString(), options);
                HostMount mount = HostMount.of(SYS, request -> answer(fileSystem, request))) {
            String seen = stat(mount);

            Needs.that(offered.get(), "needs identity-mapped mounts of FUSE: Linux 6.12 or newer");
            assertEquals(outcome, seen);
        }
    }

    private static String stat(HostMount mount) {
        try {
            SYS.statx(mount.root(), Stat.STATX_BASIC_STATS);
            return "done";
        } catch (ErrnoException e) {
            return Errno.name(e.errno());
        }
    }

    private Reply answer(PassthroughFs fileSystem, FuseRequest request) throws ErrnoException {
        Reply reply = fileSystem.answer(request);
        if (request instanceof SessionRequest.Init init && reply instanceof Reply.Struct(InitOut out)) {
            offered.set(InitFlag.ALLOW_IDMAP.in(init.in().allFlags()));
            return new Reply.Struct(withSmallWrites(out));
        }
        return reply;
    }

    /// As such a mount wants them.
    private static InitOut withSmallWrites(InitOut out) {
        return new InitOut(
                out.major(),
                out.minor(),
                out.maxReadahead(),
                out.flags(),
                out.maxBackground(),
                out.congestionThreshold(),
                4096,
                out.timeGran(),
                out.maxPages(),
                out.mapAlignment(),
                out.flags2(),
                out.maxStackDepth(),
                out.requestTimeout());
    }
}
