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

    /// The same without a feature.
    public ClientOptions without(InitFlag flag) {
        return new ClientOptions(minor, maxReadahead, offered & ~flag.bit());
    }

    /// The same with a feature.
    public ClientOptions with(InitFlag flag) {
        return new ClientOptions(minor, maxReadahead, offered | flag.bit());
    }
}
