package vitrine.guest.frontend;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import vitrine.guest.driver.DriverRing;
import vitrine.posix.ErrnoException;
import vitrine.posix.EventFd;
import vitrine.posix.Syscalls;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.vhostuser.message.RingMessage.RingFd;
import vitrine.virtqueue.RingFormat;

/// The queues as the front end keeps them: where their rings lie, their eventfds, and the messages
/// by which they start and stop.
final class Queues implements AutoCloseable {

    final Syscalls sys;
    private final Conversation backend;
    private final GuestRam ram;
    private final Agreement agreed;
    private final List<Bells> bells = new ArrayList<>(); // by queue
    private final List<FrontendQueue.Place> places = new ArrayList<>(); // by queue; null: never started
    private final BitSet started = new BitSet();
    private final BitSet running = new BitSet();
    private boolean logged;

    Queues(Syscalls sys, Conversation backend, GuestRam ram, Agreement agreed) {
        this.agreed = agreed;
        this.sys = sys;
        this.backend = backend;
        this.ram = ram;
    }

    /// The same queues at another back end.
    Queues at(Conversation other) {
        Queues queues = new Queues(sys, other, ram, agreed);
        queues.bells.addAll(bells);
        queues.places.addAll(places);
        return queues;
    }

    boolean isRunning(int index) {
        return running.get(index);
    }

    /// Makes the eventfds of so many queues, and gives those to the device that it may need before
    /// a start.
    void prepare(int count) throws FrontendException, ErrnoException {
        for (int index = 0; index < count; index++) {
            if (index == bells.size()) {
                bells.add(Bells.create(sys));
                places.add(null);
            }
            giveCall(index);
            backend.tell(
                    new RingMessage.SetVringErr(ringFd(index, bells.get(index).error())));
        }
    }

    int count() {
        return bells.size();
    }

    /// Whether the driver has started the device: all queues run that it uses.
    boolean areRunning() {
        return !running.isEmpty() && running.equals(started);
    }

    /// A ring of zeroes, not enabled yet.
    FrontendQueue setUpAfresh(int index, int size) throws FrontendException {
        FrontendQueue.Place place = places.get(index);
        RingFormat format = agreed.ringFormat();
        if (place == null || place.size() != size || place.format() != format) {
            place = FrontendQueue.Place.reserve(ram, format, size);
            places.set(index, place);
        }
        place.clear(ram);
        return setUp(index, format.freshBase());
    }

    /// The ring as it is, not enabled yet.
    ///
    /// @param base where the device is to go on
    FrontendQueue setUp(int index, int base) throws FrontendException {
        FrontendQueue.Place place = places.get(index);
        started.set(index);
        running.set(index);
        backend.tell(new RingMessage.SetVringNum(index, place.size()));
        backend.tell(new RingMessage.SetVringBase(index, base));
        giveAddresses(index);
        giveKick(index);
        return queue(index);
    }

    private void giveAddresses(int index) throws FrontendException {
        FrontendQueue.Place place = places.get(index);
        backend.tell(new RingMessage.SetVringAddr(new Payload.RingAddresses(
                index,
                logged ? Payload.RingAddresses.LOG : 0,
                ram.userAddress(place.descriptors()),
                ram.userAddress(place.device()),
                ram.userAddress(place.driver()),
                place.device())));
    }

    /// Says of each queue whether what the device writes to it is to be logged, from now on.
    void log(boolean on) throws FrontendException {
        logged = on;
        for (int index = running.nextSetBit(0); index >= 0; index = running.nextSetBit(index + 1)) {
            giveAddresses(index);
        }
    }

    void enable(int index) throws FrontendException {
        backend.tell(new RingMessage.SetVringEnable(index, 1));
    }

    /// @return where it stands
    int stop(int index) throws FrontendException {
        running.clear(index);
        backend.tell(new RingMessage.SetVringEnable(index, 0));
        Payload.RingState state = backend.ask(new RingMessage.GetVringBase(index, 0), Payload.RingState::decode);
        if (state.index() != index) {
            throw new FrontendException("GET_VRING_BASE of ring " + index + " was answered for ring " + state.index());
        }
        return state.num();
    }

    /// The device was reset: no queue has been started.
    void forget() {
        started.clear();
        running.clear();
    }

    FrontendQueue exchangeCall(int index) throws FrontendException, ErrnoException {
        Bells old = bells.get(index);
        bells.set(index, new Bells(old.kick(), EventFd.create(sys), old.error()));
        giveCall(index);
        old.call().close();
        return queue(index);
    }

    FrontendQueue exchangeKick(int index) throws FrontendException, ErrnoException {
        Bells old = bells.get(index);
        bells.set(index, new Bells(EventFd.create(sys), old.call(), old.error()));
        giveKick(index);
        old.kick().close();
        return queue(index);
    }

    void giveCall(int index) throws FrontendException {
        backend.tell(new RingMessage.SetVringCall(ringFd(index, bells.get(index).call())));
    }

    private void giveKick(int index) throws FrontendException {
        backend.tell(new RingMessage.SetVringKick(ringFd(index, bells.get(index).kick())));
    }

    @Override
    public void close() {
        bells.forEach(Bells::close);
    }

    private FrontendQueue queue(int index) {
        Bells own = bells.get(index);
        FrontendQueue.Place place = places.get(index);
        DriverRing ring = new DriverRing(place.format(), place.areas(ram), agreed.eventIndex());
        return new FrontendQueue(index, ring, place, own.kick(), own.call(), own.error());
    }

    private static RingFd ringFd(int index, EventFd event) {
        return new RingFd(index, Optional.of(event.fd()));
    }
}
