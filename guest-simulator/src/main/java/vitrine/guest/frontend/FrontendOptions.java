package vitrine.guest.frontend;

import java.time.Duration;
import vitrine.vhostuser.Features;

/// How to play the front end.
///
/// @param manners which QEMU to resemble
/// @param ram where the guest has memory
/// @param features the virtio features to choose, as far as they are offered
/// @param protocolFeatures the protocol features to choose, as far as they are offered
/// @param patience how long to wait for an answer. QEMU would wait for ever
public record FrontendOptions(Manners manners, RamLayout ram, long features, long protocolFeatures, Duration patience) {

    private static final long USUAL_FEATURES =
            Features.INDIRECT_DESC | Features.EVENT_IDX | Features.PROTOCOL_FEATURES | Features.VERSION_1;

    private static final long ALL_PROTOCOL_FEATURES = Features.MQ
            | Features.LOG_SHMFD
            | Features.DEVICE_STATE
            | Features.REPLY_ACK
            | Features.BACKEND_REQ
            | Features.CONFIG
            | Features.BACKEND_SEND_FD
            | Features.RESET_DEVICE
            | Features.CONFIGURE_MEM_SLOTS;

    /// The usual: a q35 machine with so many bytes of memory, split rings, ten seconds.
    public static FrontendOptions of(Manners manners, long ramBytes) {
        return new FrontendOptions(
                manners, RamLayout.q35(ramBytes), USUAL_FEATURES, ALL_PROTOCOL_FEATURES, Duration.ofSeconds(10));
    }

    /// The same with packed queues, which QEMU chooses only if it is told to.
    public FrontendOptions withPackedRings() {
        return new FrontendOptions(manners, ram, features | Features.RING_PACKED, protocolFeatures, patience);
    }

    /// The same without these virtio features.
    public FrontendOptions withoutFeatures(long mask) {
        return new FrontendOptions(manners, ram, features & ~mask, protocolFeatures, patience);
    }

    /// The same without these protocol features. Without [Features#CONFIGURE_MEM_SLOTS] the memory
    /// is announced in one table.
    public FrontendOptions withoutProtocolFeatures(long mask) {
        return new FrontendOptions(manners, ram, features, protocolFeatures & ~mask, patience);
    }

    /// The same with room for a window in the guest's memory, if the device wants one: QEMU's
    /// generic device has it, its vhost-user-fs does not.
    public FrontendOptions withWindow() {
        return new FrontendOptions(manners, ram, features, protocolFeatures | Features.SHMEM, patience);
    }

    /// The same with another layout of memory.
    public FrontendOptions withRam(RamLayout other) {
        return new FrontendOptions(manners, other, features, protocolFeatures, patience);
    }

    /// The same with more or less patience.
    public FrontendOptions withPatience(Duration other) {
        return new FrontendOptions(manners, ram, features, protocolFeatures, other);
    }
}
