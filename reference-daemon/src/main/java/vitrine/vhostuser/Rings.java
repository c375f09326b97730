package vitrine.vhostuser;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import vitrine.memory.GuestMemory;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.wire.MalformedException;

/// All rings of the device: obeys the messages about one of them.
final class Rings {

    private final List<Ring> rings = new ArrayList<>();
    private final Syscalls sys;
    private Ring.Kind kind = Ring.Kind.of(0);

    Rings(VirtioDevice device, GuestMemory memory, Syscalls sys) {
        this.sys = sys;
        for (int index = 0; index < device.queueCount(); index++) {
            rings.add(new Ring(index, device, memory));
        }
    }

    /// Does what the message says.
    ///
    /// @return the message's own answer, if it has one
    /// @throws MalformedException if the front end waits for an answer that cannot be given
    Optional<Payload> obey(RingMessage message) throws RefusedException, MalformedException {
        Ring ring = ring(message);
        switch (message) {
            case RingMessage.SetVringNum num -> ring.setSize(num.size());
            case RingMessage.SetVringAddr addr -> ring.setAddresses(addr.addresses());
            case RingMessage.SetVringBase base -> ring.setBase(base.base());
            case RingMessage.GetVringBase _ -> {
                return Optional.of(new Payload.RingState(message.index(), ring.stop()));
            }
            case RingMessage.SetVringKick kick -> ring.start(kick(kick.ring()));
            case RingMessage.SetVringCall call -> ring.setCall(event(call.ring()));
            case RingMessage.SetVringErr err -> ring.setError(event(err.ring()));
            case RingMessage.SetVringEnable enable -> ring.setEnabled(enable.enabled() != 0);
        }
        if (message instanceof RingMessage.SetVringKick || message instanceof RingMessage.SetVringEnable) {
            ring.settle(); // these two ask for service, so they hear why there is none
        } else {
            settleLater(ring);
        }
        return Optional.empty();
    }

    /// Notes the features that the driver chose.
    void setFeatures(long features) throws RefusedException {
        Ring.Kind wanted = Ring.Kind.of(features);
        if (!wanted.equals(kind) && rings.stream().anyMatch(Ring::isServed)) {
            throw new RefusedException("the kind of rings cannot be settled while one is being served");
        }
        kind = wanted;
        rings.forEach(ring -> ring.setKind(wanted));
        if ((features & Features.PROTOCOL_FEATURES) == 0) {
            // such a front end knows no SET_VRING_ENABLE (vhost-user: "Ring states")
            rings.forEach(ring -> ring.setEnabled(true));
            settle();
        }
    }

    /// Ends the service of those rings, until [#settle].
    void pause(Predicate<Ring> which) {
        rings.stream().filter(which).forEach(Ring::pause);
    }

    /// Goes on with all rings that can be served now that the memory changed.
    void settle() {
        rings.forEach(this::settleLater);
    }

    /// Whether a driver uses the device: rings are served, and none was stopped or disabled since
    /// it was started.
    boolean areRunning() {
        return rings.stream().anyMatch(Ring::isServed) && rings.stream().noneMatch(Ring::isHeldBack);
    }

    /// Whether the device serves one of them.
    boolean areServed() {
        return rings.stream().anyMatch(Ring::isServed);
    }

    /// Whether what the device writes to one of them is to be logged.
    boolean wantLog() {
        return rings.stream().anyMatch(Ring::wantsLog);
    }

    void reset(boolean enabledFromStart) {
        rings.forEach(ring -> ring.reset(enabledFromStart));
    }

    void close() {
        rings.forEach(Ring::close);
    }

    private Ring ring(RingMessage message) throws RefusedException, MalformedException {
        int index = message.index();
        if (index >= 0 && index < rings.size()) {
            return rings.get(index);
        }
        message.closeFds();
        String why =
                "%s: ring %s; there are %d".formatted(message.request(), Integer.toUnsignedString(index), rings.size());
        if (message instanceof RingMessage.GetVringBase) {
            throw new MalformedException(why); // its answer has no way to say no
        }
        throw new RefusedException(why);
    }

    /// The message at hand is not to blame if the ring cannot be served: more may have to be said
    /// first, or memory is missing that comes later.
    private void settleLater(Ring ring) {
        try {
            ring.settle();
        } catch (RefusedException e) {
            e.log("not served for now");
        }
    }

    private EventFd kick(RingMessage.RingFd ring) throws RefusedException {
        if (ring.fd().isEmpty()) {
            throw new RefusedException("ring " + ring.index() + ": a ring without kicks would have to be polled");
        }
        return event(ring);
    }

    /// The eventfd that was handed over; null for none.
    private EventFd event(RingMessage.RingFd ring) throws RefusedException {
        Fd fd = ring.fd().orElse(null);
        try {
            return fd == null ? null : EventFd.of(sys, fd);
        } catch (ErrnoException e) {
            throw new RefusedException("ring " + ring.index() + ": " + e.getMessage());
        }
    }
}
