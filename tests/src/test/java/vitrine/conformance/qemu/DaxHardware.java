package vitrine.conformance.qemu;

import vitrine.conformance.dax.EndlessHost;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.NewerSoftware;

/// A guest that can have a DAX window.
final class DaxHardware {

    private DaxHardware() {}

    /// The usual, in a newer QEMU; if this host can have both QEMU and window.
    static Hardware needed() {
        Needs.root();
        NewerSoftware newer = NewerSoftware.ofUser();
        Needs.rare(newer.isPrepared(), "no newer QEMU for a DAX window: ./vitrine qemu --setup-newer");
        EndlessHost.needed().close();
        return Hardware.small().in(newer.qemu().toString());
    }
}
