package vitrine.conformance.guest;

import vitrine.fuse.flag.InitFlag;
import vitrine.guest.kernel.KernelProfile;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// What guest and daemon have agreed on about set-ID bits, and the ways that data can take then.
enum Agreement {
    NONE("none", without()),
    /// Linux 5.4 knows version 1 only, which is not taken: this is `none` of an older kernel.
    V1_OFFERED("V1 offered", PassthroughOptions.DEFAULT),
    NONE_WRITE_BACK("none write-back", without().with(Feature.WRITEBACK)),
    NONE_DIRECT("none direct", without().withCache(CachePolicy.NEVER)),
    V2("V2", PassthroughOptions.DEFAULT),
    V2_WRITE_BACK("V2 write-back", PassthroughOptions.DEFAULT.with(Feature.WRITEBACK)),
    V2_DIRECT("V2 direct", PassthroughOptions.DEFAULT.withCache(CachePolicy.NEVER)),
    /// Requests do not tell whose they are, but for those that make something.
    NONE_IDMAPPED("none idmapped", without().with(Feature.IDMAPPED_MOUNTS)),
    V2_IDMAPPED("V2 idmapped", PassthroughOptions.DEFAULT.with(Feature.IDMAPPED_MOUNTS));

    private final String title;
    private final PassthroughOptions options;

    Agreement(String title, PassthroughOptions options) {
        this.title = title;
        this.options = options;
    }

    private static PassthroughOptions without() {
        return PassthroughOptions.DEFAULT.with(Feature.KILLPRIV_V2, false);
    }

    /// As `docs/limits.md` calls it.
    String title() {
        return title;
    }

    /// What the daemon does its part with.
    PassthroughOptions options() {
        return options.with(Feature.XATTR);
    }

    /// What the guest's kernel does its part with.
    KernelProfile client() {
        return switch (this) {
            case V1_OFFERED -> KernelProfile.LINUX_5_4;
            case NONE_IDMAPPED, V2_IDMAPPED -> KernelProfile.LINUX_6_1.with(InitFlag.ALLOW_IDMAP);
            default -> KernelProfile.LINUX_6_1;
        };
    }
}
