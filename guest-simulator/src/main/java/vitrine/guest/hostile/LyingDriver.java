package vitrine.guest.hostile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static vitrine.virtqueue.Descriptor.NEXT;
import static vitrine.virtqueue.Descriptor.WRITE;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import vitrine.guest.driver.Doorbell;
import vitrine.guest.driver.NoAnswerException;
import vitrine.guest.frontend.GuestRam;
import vitrine.memory.MappedMemory;
import vitrine.posix.ErrnoException;
import vitrine.virtqueue.Descriptor;
import vitrine.virtqueue.RingIndex;
import vitrine.virtqueue.SplitRing;

/// A driver that keeps no rule: it writes into the ring what it is told, and looks at what comes back.
///
/// Usually one request at a time, so that it is clear which answer is whose. The bytes of a request, an
/// indirect table and the reply each have a piece of guest memory, always the same.
public final class LyingDriver {

    /// How many bytes there are for a request, for an indirect table, and for a reply.
    public static final int ROOM = 1 << 16;

    /// What lies in the memory for replies before the device writes there.
    public static final byte UNTOUCHED = (byte) 0xA5;

    private final SplitRing ring;
    private final Doorbell bell;
    private final Duration patience;
    private final long request;
    private final long table;
    private final long reply;
    private final MemorySegment requestMemory;
    private final MemorySegment tableMemory;
    private final MemorySegment replyMemory;

    private int nextAvail;
    private int nextUsed;

    /// A driver that goes on where the ring is.
    ///
    /// @param ram where requests and replies are to lie
    /// @param patience how long to wait for the device
    public LyingDriver(SplitRing ring, GuestRam ram, Doorbell bell, Duration patience) {
        this.ring = ring;
        this.bell = bell;
        this.patience = patience;
        request = ram.reserve(ROOM, 4096);
        table = ram.reserve(ROOM, 4096);
        reply = ram.reserve(ROOM, 4096);
        requestMemory = ram.reserved(request, ROOM);
        tableMemory = ram.reserved(table, ROOM);
        replyMemory = ram.reserved(reply, ROOM);
        nextAvail = ring.acquireAvailIdx();
        nextUsed = ring.acquireUsedIdx();
    }

    /// The guest address of the bytes of a request.
    public long request() {
        return request;
    }

    /// The guest address of the indirect table.
    public long table() {
        return table;
    }

    /// The guest address of a reply.
    public long reply() {
        return reply;
    }

    /// The available index, 0 to 65535, where an honest driver goes on.
    public int nextAvail() {
        return nextAvail;
    }

    /// Sends bytes as a chain that keeps all rules of the ring: one readable piece, one writable one.
    ///
    /// @param bytes the readable side; none if empty
    /// @param room how many bytes the writable side has; 0 for none
    /// @throws NoAnswerException if the chain does not come back
    public Returned ask(byte[] bytes, int room) {
        place(bytes);
        List<Descriptor> chain = new ArrayList<>();
        if (bytes.length > 0 || room == 0) {
            chain.add(new Descriptor(request, bytes.length, room > 0 ? NEXT : 0, 1));
        }
        if (room > 0) {
            chain.add(new Descriptor(reply, room, WRITE, 0));
        }
        return send(chain).orElseThrow(() -> new NoAnswerException("the chain does not come back"));
    }

    /// Puts the bytes of a request where [#request] says.
    public void place(byte[] bytes) {
        MemorySegment.copy(bytes, 0, requestMemory, JAVA_BYTE, 0, bytes.length);
    }

    /// Writes descriptors to the start of the indirect table.
    public void placeTable(List<Descriptor> descriptors) {
        for (int i = 0; i < descriptors.size(); i++) {
            descriptors.get(i).write(new MappedMemory(tableMemory), i);
        }
    }

    /// Writes descriptors to the start of the queue's table, and offers the first one as a head.
    ///
    /// @return empty if it does not come back
    public Optional<Returned> send(List<Descriptor> descriptors) {
        post(0, descriptors);
        return await();
    }

    /// Writes descriptors to the queue's table from number `first` on and offers the first one as a
    /// head. Several chains can be under way so, if their descriptors are not the same.
    public void post(int first, List<Descriptor> descriptors) {
        for (int i = 0; i < descriptors.size(); i++) {
            descriptors.get(i).write(ring.descriptors(), first + i);
        }
        offer(first);
    }

    /// Makes some number available as a head, and kicks.
    public void offer(int head) {
        replyMemory.fill(UNTOUCHED);
        ring.putAvailEntry(nextAvail, head);
        nextAvail = RingIndex.after(nextAvail);
        claim(nextAvail);
    }

    /// Sets the available index to anything, and kicks.
    public void claim(int index) {
        ring.releaseAvailIdx(index);
        ring.fullFence();
        try {
            bell.kick();
        } catch (ErrnoException e) {
            throw new NoAnswerException("the device cannot be kicked", e);
        }
    }

    /// Waits for the next chain that comes back.
    ///
    /// @return empty if none does
    public Optional<Returned> await() {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            do {
                ring.putUsedEvent(nextUsed);
                ring.fullFence();
                if (ring.acquireUsedIdx() != nextUsed) {
                    return Optional.of(take());
                }
            } while (bell.awaitCall(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
            return ring.acquireUsedIdx() == nextUsed ? Optional.empty() : Optional.of(take());
        } catch (ErrnoException e) {
            throw new NoAnswerException("cannot wait for the device", e);
        }
    }

    /// Whether the device has left everything behind the first `length` bytes of the memory for
    /// replies as it was.
    public boolean isUntouchedFrom(long length) {
        byte[] rest = replyMemory.asSlice(length).toArray(JAVA_BYTE);
        byte[] before = new byte[rest.length];
        Arrays.fill(before, UNTOUCHED);
        return Arrays.equals(rest, before);
    }

    private Returned take() {
        long head = ring.usedHead(nextUsed);
        long written = ring.usedWritten(nextUsed);
        nextUsed = RingIndex.after(nextUsed);
        byte[] bytes = replyMemory.asSlice(0, Math.min(written, ROOM)).toArray(JAVA_BYTE);
        return new Returned(head, written, bytes);
    }
}
