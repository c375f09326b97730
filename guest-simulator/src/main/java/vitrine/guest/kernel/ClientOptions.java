package vitrine.guest.kernel;

import vitrine.fuse.flag.InitFlag;

/// What the guest's FUSE client offers in INIT.
///
/// @param minor the minor protocol version
/// @param maxReadahead bytes that it would like to read ahead
/// @param offered the features, `flags` and `flags2` as one word
public record ClientOptions(int minor, int maxReadahead, long offered) {

    /// As Linux 6.1 does it on a virtio-fs without a DAX window; seen in its INIT.
    public static final ClientOptions LINUX_6_1 = new ClientOptions(38, 131_072, 0xb_7bff_fffbL);

    /// As Linux 6.12 does it, likewise: it also asks for times of birth, and may map identities.
    public static final ClientOptions LINUX_6_12 = new ClientOptions(41, 131_072, 0x1ff_7bff_fffbL);

    /// As this version of Linux does it.
    ///
    /// @throws IllegalArgumentException if it is none that was looked at
    public static ClientOptions ofLinux(String version) {
        return switch (version) {
            case "6.1" -> LINUX_6_1;
            case "6.12" -> LINUX_6_12;
            default -> throw new IllegalArgumentException("Linux " + version + ": only 6.1 and 6.12 are known");
        };
    }

    /// The same without a feature.
    public ClientOptions without(InitFlag flag) {
        return new ClientOptions(minor, maxReadahead, offered & ~flag.bit());
    }

    /// The same with a feature.
    public ClientOptions with(InitFlag flag) {
        return new ClientOptions(minor, maxReadahead, offered | flag.bit());
    }
}
