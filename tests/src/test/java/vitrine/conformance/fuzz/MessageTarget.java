package vitrine.conformance.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import vitrine.memory.Mapper;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.Backend;
import vitrine.vhostuser.Connection;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.VirtioDevice;
import vitrine.vhostuser.Vring;
import vitrine.vhostuser.message.MessageHeader;
import vitrine.virtqueue.BrokenChainException;
import vitrine.virtqueue.BrokenQueueException;
import vitrine.wire.MalformedException;

/// A back end, and all that a front end ever says to it, sent before it begins to listen.
///
/// Each message begins with five bytes: how many descriptors come along and of which kind, the
/// number of the message, its flags, and how long its payload is. The flags 255 are for bytes that
/// need be no message at all.
final class MessageTarget implements FuzzTarget {

    private static final Syscalls SYS = new Syscalls(Libc.load());
    private static final int RAM = 1 << 16;
    private static final int RAW = 255;
    private static final int MOST_MESSAGES = 40; // they have to wait in the socket, and the answers, too
    private static final int LONGEST = 5000; // more than a payload may have
    private static final int SHUT_WR = 1;

    private final List<Fd> kinds = new ArrayList<>();
    private final MemorySegment outgoing = Arena.global().allocate(MessageHeader.BYTES + LONGEST);

    MessageTarget() throws ErrnoException {
        Fd memory = SYS.memfdCreate("fuzz");
        SYS.ftruncate(memory, RAM);
        Fd full = new Fd(SYS.libc().eventfd(0, Fcntl.O_CLOEXEC), SYS.libc());
        outgoing.set(JAVA_LONG, 0, -2);
        SYS.libc().write(full.number(), outgoing.address(), Long.BYTES);
        kinds.addAll(List.of(
                SYS.eventfd(),
                memory,
                full,
                SYS.epollCreate(),
                SYS.openPath("/dev/null", Fcntl.O_RDWR),
                SYS.dup(memory)));
    }

    @Override
    public void take(byte[] input) throws Exception {
        UnixSocket[] pair = UnixSocket.pair(SYS);
        QuietDevice device = new QuietDevice();
        try (UnixSocket frontend = pair[0];
                Backend backend = new Backend(Connection.over(pair[1]), device, SYS)) {
            say(frontend, new Input(input));
            SYS.libc().shutdown(frontend.fd().number(), SHUT_WR);
            backend.run();
        } catch (MalformedException | ErrnoException _) {
            // as it should be
        }
        if (!device.served.isEmpty()) {
            throw new AssertionError("nobody listens any more, and a ring is still served");
        }
    }

    private void say(UnixSocket frontend, Input in) throws ErrnoException {
        for (int said = 0; said < MOST_MESSAGES && !in.isEmpty(); said++) {
            int fds = in.u8();
            int request = in.u8();
            int flags = in.u8();
            byte[] payload = in.bytes(Math.min(in.u16(), LONGEST));
            byte[] bytes = flags == RAW ? payload : message(request, flags, payload);
            if (bytes.length > 0) {
                MemorySegment.copy(bytes, 0, outgoing, JAVA_BYTE, 0, bytes.length);
                frontend.send(outgoing.asSlice(0, bytes.length), descriptors(fds));
            }
        }
    }

    private static byte[] message(int request, int flags, byte[] payload) {
        return ByteBuffer.allocate(MessageHeader.BYTES + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(request)
                .putInt(flags)
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    private List<Fd> descriptors(int what) {
        List<Fd> fds = new ArrayList<>();
        for (int i = 0; i < what % 11; i++) {
            fds.add(kinds.get(what / 11 % kinds.size()));
        }
        return fds;
    }

    /// Serves what is there when a ring starts, and nothing later.
    private static final class QuietDevice implements VirtioDevice {

        private final Map<Integer, Vring> served = new TreeMap<>();

        @Override
        public long features() {
            return Features.INDIRECT_DESC | Features.EVENT_IDX | Features.VERSION_1;
        }

        @Override
        public int queueCount() {
            return 2;
        }

        @Override
        public byte[] config() {
            return new byte[40];
        }

        @Override
        public void start(Vring vring) {
            if (served.put(vring.index(), vring) != null) {
                throw new IllegalStateException("ring " + vring.index() + " was started twice");
            }
            try {
                vring.queue().pop().ifPresent(chain -> vring.queue().push(chain.head(), 0));
                vring.call().signal();
            } catch (BrokenChainException | BrokenQueueException _) {
                vring.error().signal();
            }
        }

        @Override
        public int stop(int index) {
            return served.remove(index).queue().base();
        }

        @Override
        public long windowSize() {
            return RAM;
        }

        @Override
        public void useWindow(Mapper mapper) {
            // nothing is mapped
        }

        @Override
        public void reset() {
            if (!served.isEmpty()) {
                throw new IllegalStateException("reset while rings are served: " + served.keySet());
            }
        }
    }
}
