package vitrine.daemon;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughOptions;

/// The options of the daemon, as the user wrote them; picocli fills in the fields.
final class DaemonOptions {

    @Option(names = "--shared-dir", paramLabel = "DIR", description = "The directory to share.")
    Path sharedDir;

    @Option(
            names = "--socket-path",
            paramLabel = "PATH",
            description = "Make a vhost-user socket here and wait for QEMU to connect.")
    Path socketPath;

    @Option(
            names = "--fd",
            paramLabel = "N",
            description = "Or: use this file descriptor, a socket that listens already.")
    Integer fd;

    @Option(
            names = "--cache",
            paramLabel = "MODE",
            converter = CacheMode.class,
            defaultValue = "auto",
            description = "How long the guest may believe what it has seen: never (or none), metadata,"
                    + " auto (one second), always (a day). Default: auto.")
    CachePolicy cache;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "For how long names and attributes are believed, instead of what --cache says.")
    Double timeout;

    @Option(names = "--xattr", negatable = true, description = "Extended attributes. Default: off.")
    boolean xattr;

    @Option(
            names = "--no-killpriv-v2",
            negatable = true,
            description = "Whether the guest leaves the clearing of set-ID bits to the daemon. Default: it does.")
    boolean killprivV2 = true;

    @Option(
            names = "--writeback",
            negatable = true,
            description = "The guest may delay writes: fast, and lost if the guest dies. Default: off.")
    boolean writeback;

    @Option(
            names = "--no-readdirplus",
            negatable = true,
            description = "Whether attributes come along with directory listings. Default: unless --cache=never.")
    Boolean readdirplus;

    @Option(
            names = "--allow-direct-io",
            negatable = true,
            description = "O_DIRECT in the guest passes by the host's page cache too. Default: off.")
    boolean allowDirectIo;

    @Option(
            names = "--allow-mmap",
            negatable = true,
            description = "Shared mappings of files although --cache=never or metadata. Default: off.")
    boolean allowMmap;

    @Option(
            names = "--no-announce-submounts",
            negatable = true,
            description = "Whether a mount inside the share is a mount in the guest. Default: it is.")
    boolean announceSubmounts = true;

    @Option(
            names = "--posix-lock",
            negatable = true,
            description = "Locks of fcntl(2) hold against other guests and the host, too. A program that waits"
                    + " for one cannot be interrupted, nor killed. Default: off, they hold within the guest.")
    boolean posixLock;

    @Option(names = "--flock", negatable = true, description = "The same for locks of flock(2). Default: off.")
    boolean flock;

    @Option(
            names = "--num-request-queues",
            paramLabel = "N",
            defaultValue = "1",
            description = "Request queues, each served by a thread of its own, 1 to 63. Default: 1.")
    int requestQueues;

    @Option(
            names = "--tag",
            paramLabel = "TAG",
            defaultValue = "",
            description = "The tag that the guest mounts by, for front ends that leave it to the daemon.")
    String tag;

    @Option(
            names = "--capture",
            paramLabel = "FILE",
            description = "Record everything that happens, for ./vitrine trace FILE or Wireshark (pcapng).")
    Path capture;

    @Option(
            names = "--keep-listening",
            description = "When the front end leaves, wait for the next one instead of ending.")
    boolean keepListening;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            description = "error, warn, info, debug or off. Default: info.")
    String logLevel;

    @Option(
            names = "--sandbox",
            paramLabel = "MODE",
            defaultValue = "none",
            description = "Only none: the daemon never opens a path that a guest names, but it runs"
                    + " outside of any namespace or chroot of its own.")
    String sandbox;

    @Option(names = "--print-capabilities", description = "Print what management tools ask for, as JSON, and end.")
    boolean printCapabilities;

    @Option(names = "--warm-up", hidden = true)
    boolean warmUp;

    @Option(names = "-f", hidden = true, description = "Stay in the foreground, as always.")
    boolean foreground;

    /// What concerns the file system.
    PassthroughOptions fileSystem() {
        PassthroughOptions options = PassthroughOptions.DEFAULT
                .withCache(cache)
                .withXattr(xattr)
                .withKillprivV2(killprivV2)
                .withWriteback(writeback)
                .withAllowDirectIo(allowDirectIo)
                .withAllowMmap(allowMmap)
                .withAnnounceSubmounts(announceSubmounts)
                .withPosixLocks(posixLock)
                .withFlocks(flock);
        if (readdirplus != null) {
            options = options.withReaddirplus(readdirplus);
        }
        return timeout == null ? options : options.withTimeout(Duration.ofNanos((long) (timeout * 1e9)));
    }

    /// Checks what picocli cannot check.
    ///
    /// @throws IllegalArgumentException saying what is wrong and what to do
    void check() {
        require(sharedDir != null, "say which directory to share: --shared-dir DIR");
        require((socketPath == null) != (fd == null), "say where QEMU connects: either --socket-path PATH or --fd N");
        require(timeout == null || timeout >= 0 && timeout <= 1e9, "--timeout: 0 to 1000000000 seconds");
        require(requestQueues >= 1 && requestQueues <= 63, "--num-request-queues: 1 to 63");
        require(tag.getBytes(StandardCharsets.UTF_8).length <= VirtioFsDevice.TAG_BYTES, "--tag: at most 36 bytes");
        require(
                sandbox.equals("none"),
                "--sandbox=" + sandbox + ": there is none yet; run the daemon in a container or a chroot"
                        + " and say --sandbox=none");
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /// `never`, `none`, `metadata`, `auto`, `always`, in any case.
    static final class CacheMode implements ITypeConverter<CachePolicy> {
        @Override
        public CachePolicy convert(String text) {
            String name = text.toUpperCase(Locale.ROOT);
            try {
                return name.equals("NONE") ? CachePolicy.NEVER : CachePolicy.valueOf(name);
            } catch (IllegalArgumentException _) {
                throw new TypeConversionException("'" + text + "' is none of never, none, metadata, auto, always");
            }
        }
    }
}
