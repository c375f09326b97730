package vitrine.guest.frontend;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Syscalls;
import vitrine.posix.UnixSocket;
import vitrine.vhostuser.message.MigrationMessage;
import vitrine.vhostuser.message.MigrationMessage.SetDeviceStateFd;
import vitrine.vhostuser.message.MigrationPayload.Transfer;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.wire.Buffers;

/// A guest that moves from one back end to another, as QEMU does it at both ends. Its memory and
/// its eventfds stay what they are, so the guest's kernel notices nothing.
public final class GuestMove {

    private static final int SOME = 1 << 16;

    private GuestMove() {}

    /// Moves the guest. If the other back end does not take it, it goes on at the one it had.
    ///
    /// @param socket to the other back end; taken over
    /// @return the front end to use from now on
    /// @throws FrontendException if it did not move
    public static Frontend move(Frontend from, UnixSocket socket) throws FrontendException, ErrnoException {
        synchronized (from.backend) {
            return moveAlone(from, socket);
        }
    }

    private static Frontend moveAlone(Frontend from, UnixSocket socket) throws FrontendException, ErrnoException {
        List<Integer> bases = new ArrayList<>();
        for (int index = 0; index < from.queueCount(); index++) {
            bases.add(from.queues.isRunning(index) ? from.stopQueue(index) : null);
        }
        try {
            Frontend to = arrive(from, socket, save(from));
            resume(to, bases);
            from.backend.close();
            from.agreed.close();
            return to;
        } catch (FrontendException | ErrnoException e) {
            resume(from, bases);
            throw e;
        }
    }

    private static Frontend arrive(Frontend from, UnixSocket socket, byte[] state)
            throws FrontendException, ErrnoException {
        Conversation backend = new Conversation(from.sys, socket, from.options);
        try {
            Agreement agreed = Agreement.reach(backend, from.sys, from.options);
            if (agreed.features() != from.features()) {
                throw new FrontendException("the driver has other features than the back end offers");
            }
            Frontend to = new Frontend(from, backend, agreed);
            backend.tell(new NegotiationMessage.SetFeatures(agreed.features()));
            load(from.sys, backend, state);
            return to;
        } catch (FrontendException | ErrnoException e) {
            backend.close();
            throw e;
        }
    }

    private static void resume(Frontend where, List<Integer> bases) throws FrontendException {
        for (int index = 0; index < bases.size(); index++) {
            if (bases.get(index) != null) {
                where.resumeQueue(index, bases.get(index));
            }
        }
    }

    /// What the device says that it remembers. No queue runs.
    ///
    /// @throws FrontendException if it does not say so
    public static byte[] save(Frontend where) throws FrontendException, ErrnoException {
        try (UnixSocket pipe = begin(where.sys, where.backend, Transfer.SAVE);
                Arena arena = Arena.ofConfined()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            MemorySegment some = arena.allocate(SOME);
            for (int read = read(where.sys, pipe, some); read > 0; read = read(where.sys, pipe, some)) {
                all.writeBytes(some.asSlice(0, read).toArray(ValueLayout.JAVA_BYTE));
            }
            check(where.backend);
            return all.toByteArray();
        }
    }

    /// Has it written anywhere.
    ///
    /// @param pipe stays the caller's
    /// @throws FrontendException if it is not
    public static void save(Frontend where, Fd pipe) throws FrontendException {
        begin(where.backend, Transfer.SAVE, pipe);
        check(where.backend);
    }

    private static int read(Syscalls sys, UnixSocket from, MemorySegment into) throws ErrnoException {
        return (int) sys.preadv2(from.fd(), Buffers.of(into), -1, 0);
    }

    /// Has the device remember what another one has said. No queue runs.
    ///
    /// @throws FrontendException if it will not
    public static void load(Frontend where, byte[] state) throws FrontendException, ErrnoException {
        load(where.sys, where.backend, state);
    }

    private static void load(Syscalls sys, Conversation backend, byte[] state)
            throws FrontendException, ErrnoException {
        try (UnixSocket pipe = begin(sys, backend, Transfer.LOAD);
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(Math.max(1, state.length));
            bytes.asSlice(0, state.length).copyFrom(MemorySegment.ofArray(state));
            for (long done = 0; done < state.length; ) {
                done += sys.pwritev2(pipe.fd(), Buffers.of(bytes.asSlice(done, state.length - done)), -1, 0);
            }
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EPIPE) { // it may have had enough before the end
                throw e;
            }
        }
        check(backend);
    }

    /// @return our end of the pipe
    private static UnixSocket begin(Syscalls sys, Conversation backend, int direction)
            throws FrontendException, ErrnoException {
        UnixSocket[] pair = UnixSocket.pair(sys);
        try (UnixSocket theirs = pair[1]) {
            begin(backend, direction, theirs.fd());
            return pair[0];
        } catch (FrontendException e) {
            pair[0].close();
            throw e;
        }
    }

    private static void begin(Conversation backend, int direction, Fd pipe) throws FrontendException {
        var message = new SetDeviceStateFd(new Transfer(direction, Transfer.STOPPED), pipe);
        long answer = backend.askNumber(message);
        if (answer != SetDeviceStateFd.OWN_PIPE) {
            throw new FrontendException("the device's state cannot be moved: 0x" + Long.toHexString(answer));
        }
    }

    private static void check(Conversation backend) throws FrontendException {
        if (backend.askNumber(new MigrationMessage.CheckDeviceState()) != 0) {
            throw new FrontendException("the device's state was not moved: the back end's log says why");
        }
    }
}
