package vitrine.daemon;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ParseResult;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;
import vitrine.passthrough.translation.IdMap;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Capability;
import vitrine.posix.Sandbox;
import vitrine.posix.SyscallFilter;

/// The options of the daemon, as the user wrote them, or as they are by default. What each means
/// says [CommandLineSyntax].
final class DaemonOptions {

    private static final long OF_THE_PROCESS = 64; // sockets, guest memory, what the JVM has open
    private static final long OF_A_QUEUE = 16; // its eventfds, and what a request needs while it is served
    private static final long OF_A_GUEST = 64; // with fewer there is no point in starting

    final Path sharedDir; // null, like all without a default, if it was not given
    final Path socketPath;
    final String socketGroup;
    final Integer fd;
    final CachePolicy cache;
    final int requestQueues;
    final String tag; // empty: none
    final DaxOptions dax;
    final Path capture;
    final Path captureSocket;
    final Long openFiles; // null: as many as possible; 0: as many as there are
    final boolean keepListening;
    final Sandbox sandbox; // null: the strongest that costs nothing
    final UserNamespace userNamespace;
    final boolean inUserNamespace;
    final SyscallFilter systemCalls;
    final Set<Capability> capabilities;
    final boolean syslog;
    final String logLevel;

    private final ParseResult given;

    /// Takes over what the parser of [CommandLineSyntax] has found.
    DaemonOptions(ParseResult given) {
        this.given = given;
        sharedDir = given.matchedOptionValue("--shared-dir", null);
        socketPath = given.matchedOptionValue("--socket-path", null);
        fd = given.matchedOptionValue("--fd", null);
        cache = given.matchedOptionValue("--cache", CachePolicy.AUTO);
        requestQueues = given.matchedOptionValue("--num-request-queues", 1);
        tag = given.matchedOptionValue("--tag", "");
        dax = DaxOptions.of(given);
        capture = given.matchedOptionValue("--capture", null);
        captureSocket = given.matchedOptionValue("--capture-socket", null);
        sandbox = given.matchedOptionValue("--sandbox", null);
        userNamespace = UserNamespace.of(given);
        inUserNamespace = is(UserNamespace.INSIDE, false);
        systemCalls = given.matchedOptionValue("--seccomp", SyscallFilter.DENY);
        capabilities = Capability.modified(Capability.OF_A_DAEMON, given.matchedOptionValue("--modcaps", ""));
        socketGroup = given.matchedOptionValue("--socket-group", null);
        syslog = is("--syslog", false);
        openFiles = given.matchedOptionValue("--rlimit-nofile", null);
        keepListening = is("--keep-listening", false);
        logLevel = given.matchedOptionValue("--log-level", "info");
    }

    /// What concerns the file system.
    PassthroughOptions fileSystem() {
        PassthroughOptions options = PassthroughOptions.DEFAULT.withCache(cache).withDax(dax.policy());
        options = options.with(Feature.READ_ONLY, is("--readonly", false))
                .with(Feature.PRESERVE_NOATIME, is("--preserve-noatime", false))
                .with(Feature.XATTR, is("--xattr", false) || isWanted("--posix-acl") || isWanted("--security-label"))
                .with(Feature.POSIX_ACL, isWanted("--posix-acl"))
                .with(Feature.REQUIRE_POSIX_ACL, isRequired("--posix-acl"))
                .with(Feature.SECURITY_LABEL, isWanted("--security-label"))
                .with(Feature.REQUIRE_SECURITY_LABEL, isRequired("--security-label"))
                .with(Feature.KILLPRIV_V2, is("--no-killpriv-v2", true))
                .with(Feature.WRITEBACK, is("--writeback", false))
                .with(Feature.READDIRPLUS, is("--readdirplus", options.has(Feature.READDIRPLUS)))
                .with(Feature.ALLOW_DIRECT_IO, is("--allow-direct-io", false))
                .with(Feature.ALLOW_MMAP, is("--allow-mmap", false))
                .with(Feature.ANNOUNCE_SUBMOUNTS, is("--no-announce-submounts", true))
                .with(Feature.IDMAPPED_MOUNTS, is("--no-idmapped-mounts", true))
                .with(Feature.POSIX_LOCKS, is("--posix-lock", false))
                .with(Feature.FLOCKS, is("--flock", false))
                .withWritePath(given.matchedOptionValue("--write-path", WritePath.GATHERED));
        options = options.withIds(ids()).withMigration(MigrationSyntax.of(given));
        if (given.hasMatchedOption("--xattrmap")) {
            options = options.withXattrMap(xattrMap());
        }
        options = options.withFileHandles(given.matchedOptionValue("--inode-file-handles", options.fileHandles()));
        Double timeout = timeout();
        return timeout == null ? options : options.withTimeout(Duration.ofNanos((long) (timeout * 1e9)));
    }

    /// How many open files the daemon needs for itself. All others are the guest's.
    long ownOpenFiles() {
        return OF_THE_PROCESS + OF_A_QUEUE * (1 + requestQueues);
    }

    /// How many it needs to be of use.
    long leastOpenFiles() {
        return ownOpenFiles() + OF_A_GUEST;
    }

    /// Checks what picocli cannot check.
    ///
    /// @throws IllegalArgumentException saying what is wrong and what to do
    void check() {
        require(sharedDir != null && !sharedDir.toString().isEmpty(), "say which directory to share: --shared-dir DIR");
        require((socketPath == null) != (fd == null), "say where QEMU connects: either --socket-path PATH or --fd N");
        require(fd == null || fd >= 0, "--fd: the number of a descriptor");
        require(fd == null || socketGroup == null, "--socket-group: with --fd the socket is somebody else's");
        Integer pool = given.matchedOptionValue("--thread-pool-size", 0);
        require(pool >= 0, "--thread-pool-size: 0 or more");
        require(timeout() == null || timeout() >= 0 && timeout() <= 1e9, "--timeout: 0 to 1000000000 seconds");
        require(requestQueues >= 1 && requestQueues <= 63, "--num-request-queues: 1 to 63");
        require(
                openFiles == null || openFiles == 0 || openFiles >= leastOpenFiles(),
                "--rlimit-nofile: 0, or at least " + leastOpenFiles());
        require(tag.getBytes(StandardCharsets.UTF_8).length <= VirtioFsDevice.TAG_BYTES, "--tag: at most 36 bytes");
        require(
                inUserNamespace || !userNamespace.isGiven() || !Confinement.isRoot(),
                "--uid-map, --gid-map: for a daemon that is not root; --translate-uid and --translate-gid give"
                        + " the guest's users other numbers for root as well");
        require(
                ids().isSame() || !isWanted("--posix-acl"),
                "--posix-acl: not with --translate-uid or --translate-gid, for in an ACL are numbers of users too");
        require(
                xattrMap().keepsAcls() || !isWanted("--posix-acl"),
                "--posix-acl: with this --xattrmap the host would not know ACLs, which are the attributes"
                        + " system.posix_acl_…; begin it with :ok:all:system.posix_acl_:system.posix_acl_:");
    }

    private IdTranslation ids() {
        return new IdTranslation(idMap("--translate-uid"), idMap("--translate-gid"));
    }

    private IdMap idMap(String option) {
        try {
            return IdMap.parse(given.matchedOptionValue(option, List.of()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + "=" + e.getMessage());
        }
    }

    private XattrMap xattrMap() {
        String rules = given.matchedOptionValue("--xattrmap", null);
        if (rules == null) {
            return XattrMap.SAME;
        }
        // What is no text in this locale, Java has read as U+FFFD.
        require(rules.indexOf('\ufffd') < 0, "--xattrmap: a name is not ASCII, which needs LC_ALL=C.UTF-8");
        try {
            return XattrMap.parse(rules);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--xattrmap: " + e.getMessage());
        }
    }

    private boolean isWanted(String option) {
        return demand(option) != Demand.NEVER;
    }

    private boolean isRequired(String option) {
        return demand(option) == Demand.ALWAYS;
    }

    private Demand demand(String option) {
        return given.matchedOptionValue(option, Demand.NEVER);
    }

    private Double timeout() {
        return given.matchedOptionValue("--timeout", null);
    }

    private boolean is(String option, boolean unlessGiven) {
        return given.matchedOptionValue(option, unlessGiven);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
