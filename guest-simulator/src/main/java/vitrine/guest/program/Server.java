package vitrine.guest.program;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import vitrine.dax.DaxPolicy;
import vitrine.fuse.Opcode;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InitOut;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// What the server of a program agrees to. It is our daemon's file system; but where it would never
/// agree to something, the words are put into its mouth.
///
/// | words | mean |
/// |---|---|
/// | `cache=POLICY` | as the daemon's option; `auto` unless said |
/// | `timeout=MS` | how long names and attributes hold; a minute unless said |
/// | `xattr`, `writeback`, `posix-lock`, `flock` | as the daemon's options |
/// | `submounts=off` | a mount in the share is not said to be one |
/// | `dax` | there is a DAX window, and all files are to be used through it |
/// | `killpriv=none`, `=v1`, `=v2` | who clears set-ID bits; `none` unless said |
/// | `atomic-o-trunc=on`, `=off` | whether OPEN truncates; `on` unless said |
/// | `enosys=OPCODE,...` | requests that it does not know |
///
/// @param text the words
/// @param unknown the requests of `enosys`
record Server(String text, PassthroughOptions options, long taken, long refused, Set<Opcode> unknown) {

    private static final Duration LONG = Duration.ofMinutes(1); // so that a slow machine makes nothing stale

    static Server of(String text) {
        PassthroughOptions options = PassthroughOptions.DEFAULT
                .with(Feature.KILLPRIV_V2, false)
                .with(Feature.IDMAPPED_MOUNTS, false)
                .withTimeout(LONG);
        long taken = InitFlag.ATOMIC_O_TRUNC.bit();
        long refused = 0;
        Set<Opcode> unknown = EnumSet.noneOf(Opcode.class);
        for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+")) {
            int equals = word.indexOf('=');
            String value = word.substring(equals + 1);
            switch (equals < 0 ? word : word.substring(0, equals)) {
                case "cache" -> options = cached(options, value);
                case "timeout" -> options = options.withTimeout(Duration.ofMillis(Long.parseLong(value)));
                case "dax" -> options = options.withDax(new DaxPolicy.Always());
                case "xattr" -> options = options.with(Feature.XATTR);
                case "writeback" -> options = options.with(Feature.WRITEBACK);
                case "submounts" -> options = options.with(Feature.ANNOUNCE_SUBMOUNTS, value.equals("on"));
                case "posix-lock" -> options = options.with(Feature.POSIX_LOCKS);
                case "flock" -> options = options.with(Feature.FLOCKS);
                case "killpriv" -> {
                    options = options.with(Feature.KILLPRIV_V2, value.equals("v2"));
                    taken |= value.equals("v1") ? InitFlag.HANDLE_KILLPRIV.bit() : 0;
                }
                case "atomic-o-trunc" -> refused |= value.equals("off") ? InitFlag.ATOMIC_O_TRUNC.bit() : 0;
                case "enosys" -> List.of(value.split(",")).forEach(name -> unknown.add(Opcode.valueOf(name)));
                default -> throw new IllegalArgumentException("server " + text + ": what is " + word + "?");
            }
        }
        return new Server(text, options, taken, refused, unknown);
    }

    private static PassthroughOptions cached(PassthroughOptions options, String value) {
        CachePolicy policy = CachePolicy.valueOf(value.toUpperCase(Locale.ROOT));
        return policy == CachePolicy.AUTO ? options : options.withCache(policy);
    }

    /// Whether it is for a client with a DAX window.
    boolean hasWindow() {
        return !(options.dax() instanceof DaxPolicy.Never);
    }

    /// The answer to INIT.
    ///
    /// @param offered by the client
    /// @param agreed what the file system would answer
    InitOut agree(long offered, InitOut agreed) {
        long flags = (agreed.allFlags() | taken & offered) & ~refused;
        return new InitOut(
                agreed.major(),
                agreed.minor(),
                agreed.maxReadahead(),
                (int) flags,
                agreed.maxBackground(),
                agreed.congestionThreshold(),
                agreed.maxWrite(),
                agreed.timeGran(),
                agreed.maxPages(),
                agreed.mapAlignment(),
                (int) (flags >>> 32),
                agreed.maxStackDepth(),
                agreed.requestTimeout());
    }
}
