package vitrine.guest.frontend;

import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;

/// After which messages a front end asks whether it worked. Back ends must not guess it from the
/// message: it changed from one QEMU to the next.
public enum Manners {
    /// QEMU 7.2: only after changes of memory, and for the second socket.
    QEMU_7_2,
    /// QEMU 11.1: for a ring's eventfds, for enabling it, and for what begins to log, too.
    QEMU_11;

    boolean asks(FrontendMessage message) {
        return switch (message) {
            case MemoryMessage.GetMaxMemSlots _ -> false;
            case MemoryMessage _, NegotiationMessage.SetBackendReqFd _ -> true;
            case RingMessage.SetVringKick _,
                    RingMessage.SetVringCall _,
                    RingMessage.SetVringErr _,
                    RingMessage.SetVringEnable _ -> this == QEMU_11;
            case NegotiationMessage.SetFeatures(long features) -> this == QEMU_11 && (features & Features.LOG_ALL) != 0;
            case RingMessage.SetVringAddr(Payload.RingAddresses addresses) ->
                this == QEMU_11 && (addresses.flags() & Payload.RingAddresses.LOG) != 0;
            default -> false;
        };
    }
}
