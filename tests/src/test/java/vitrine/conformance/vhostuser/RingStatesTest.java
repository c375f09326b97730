package vitrine.conformance.vhostuser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.RingMessage.RingFd;

/// When a ring is served, and when not (vhost-user: "Ring states").
class RingStatesTest {

    private final SettledLink rings = new SettledLink();

    @AfterEach
    void leave() {
        rings.close();
    }

    /// Started and enabled are two states; a ring is processed when both hold, whichever came last,
    /// and not before.
    ///
    /// Seen to catch: Ring.settle without looking at `enabled`; without looking at `kick`.
    @Test
    void aRingIsServedOnceItIsStartedAndEnabledInEitherOrder() {
        rings.memory();
        rings.describe(0);
        rings.describe(1);

        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));
        assertEquals(List.of(), rings.device.told);
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));
        assertEquals(List.of("start 0"), rings.device.told);

        rings.obeyed(new RingMessage.SetVringEnable(1, 1));
        assertEquals(List.of("start 0"), rings.device.told);
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(1)));
        assertEquals(List.of("start 0", "start 1"), rings.device.told);
    }

    /// vhost-user, "Ring states": without VHOST_USER_F_PROTOCOL_FEATURES rings are enabled from the
    /// start, and stay so after a reset.
    ///
    /// Seen to catch: Rings.setFeatures not looking at bit 30; Rings.reset(false).
    @Test
    void withoutProtocolFeaturesTheKickAloneStartsARing() {
        rings.obeyed(new NegotiationMessage.SetFeatures(Features.VERSION_1));
        for (int round = 0; round < 2; round++) {
            rings.device.told.clear();
            if (round == 0) {
                rings.memory();
            }
            rings.describe(0);

            rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));

            assertEquals(List.of("start 0"), rings.device.told);
            rings.obeyed(new NegotiationMessage.ResetDevice());
        }
    }

    /// Disabling and enabling goes on where the ring was.
    ///
    /// Seen to catch: Ring.setEnabled without pausing.
    @Test
    void disablingPausesARing() {
        rings.serve(0);

        rings.obeyed(new RingMessage.SetVringEnable(0, 0));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));

        assertEquals(List.of("start 0", "stop 0", "start 0"), rings.device.told);
    }

    /// GET_VRING_BASE stops; a ring that is only enabled again does not run, for its kick is gone.
    ///
    /// Seen to catch: Ring.stop keeping the kick.
    @Test
    void gettingTheBaseStopsARingUntilTheNextKick() {
        rings.serve(0);

        assertEquals(new Payload.RingState(0, 0), rings.base(0));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));
        assertEquals(List.of("start 0", "stop 0"), rings.device.told);
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));

        assertEquals(List.of("start 0", "stop 0", "start 0"), rings.device.told);
    }

    /// A stopped ring answers the base that it was given; a reset forgets it.
    ///
    /// Seen to catch: Ring.reset without `base = 0`; SET_VRING_BASE ignored.
    @Test
    void theBaseIsKeptWhileStoppedAndForgottenAtAReset() {
        rings.obeyed(new RingMessage.SetVringBase(0, 65535));
        assertEquals(new Payload.RingState(0, 65535), rings.base(0));

        rings.obeyed(new NegotiationMessage.ResetDevice());

        assertEquals(new Payload.RingState(0, 0), rings.base(0));
        assertEquals(List.of("reset"), rings.device.told);
    }

    /// Everything stops before the device is reset; memory stays, QEMU does not announce it again.
    ///
    /// Seen to catch: Backend.reset calling the device first (the recording device complains).
    @Test
    void aResetStopsAllRingsFirstAndKeepsTheMemory() {
        rings.serve(0);
        rings.serve(1);

        rings.obeyed(new NegotiationMessage.ResetDevice());
        assertEquals(List.of("start 0", "start 1", "stop 0", "stop 1", "reset"), rings.device.told);
        rings.device.told.clear();
        rings.describe(0);
        rings.obeyed(new RingMessage.SetVringKick(rings.fd(0)));
        rings.obeyed(new RingMessage.SetVringEnable(0, 1));

        assertEquals(List.of("start 0"), rings.device.told);
    }

    /// The call may be exchanged while the ring runs: what the device signals reaches the new one.
    /// "No descriptor" means that the driver polls.
    ///
    /// Seen to catch: ExchangeableEvent.exchange keeping the first descriptor.
    @Test
    void aCallThatIsExchangedWhileServedIsFollowed() throws ErrnoException {
        Fd first = rings.link.eventFd();
        Fd second = rings.link.eventFd();
        rings.obeyed(new RingMessage.SetVringCall(new RingFd(0, Optional.of(first))));
        rings.serve(0);

        rings.device.ring(0).call().signal();
        rings.obeyed(new RingMessage.SetVringCall(new RingFd(0, Optional.of(second))));
        rings.device.ring(0).call().signal();
        rings.obeyed(new RingMessage.SetVringCall(new RingFd(0, Optional.empty())));
        rings.device.ring(0).call().signal();

        assertEquals(1, EventFd.of(Host.SYS, first).drain());
        assertEquals(1, EventFd.of(Host.SYS, second).drain());
        assertEquals(List.of("start 0"), rings.device.told);
    }

    /// The call and error descriptors are given at connect time; QEMU does not give the error one
    /// again after a reset.
    ///
    /// Seen to catch: Ring.reset closing them.
    @Test
    void callAndErrorOutliveAReset() throws ErrnoException {
        Fd error = rings.link.eventFd();
        rings.obeyed(new RingMessage.SetVringErr(new RingFd(0, Optional.of(error))));

        rings.obeyed(new NegotiationMessage.ResetDevice());
        rings.serve(0);
        rings.device.ring(0).error().signal();

        assertEquals(1, EventFd.of(Host.SYS, error).drain());
    }

    /// A new kick while the ring runs: it is waited for instead of the old one.
    ///
    /// Seen to catch: Ring.start without pausing.
    @Test
    void aKickThatIsExchangedWhileServedRestartsTheWait() throws ErrnoException {
        rings.serve(0);
        Fd next = rings.link.eventFd();

        rings.obeyed(new RingMessage.SetVringKick(new RingFd(0, Optional.of(next))));
        EventFd.of(Host.SYS, next).signal();

        assertEquals(List.of("start 0", "stop 0", "start 0"), rings.device.told);
        assertEquals(1, rings.device.ring(0).kick().drain());
    }
}
