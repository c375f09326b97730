package vitrine.vhostuser.message;

import java.util.List;
import java.util.Optional;
import vitrine.posix.Fd;
import vitrine.wire.MalformedException;

/// Messages about one ring.
public sealed interface RingMessage extends FrontendMessage {

    /// Which ring is meant, as the front end says; it may be none of the device's.
    int index();

    /// A ring, and one of its eventfds or the word that there is none
    /// (vhost-user: "A vring state description", bit 8 of the number).
    ///
    /// @param index the ring, 0 to 255
    /// @param fd empty if the driver is to be polled, or polls itself
    record RingFd(int index, Optional<Fd> fd) {
        private static final int INDEX_MASK = 0xff;
        private static final int NO_FD = 1 << 8;

        static RingFd decode(MessageReader in) throws MalformedException {
            long number = in.u64();
            return new RingFd(
                    (int) number & INDEX_MASK, (number & NO_FD) != 0 ? Optional.empty() : Optional.of(in.fd()));
        }

        Payload payload() {
            return new Payload.Number(index | (fd.isPresent() ? 0 : NO_FD));
        }
    }

    /// Sets the number of entries.
    record SetVringNum(int index, int size) implements RingMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_NUM;
        }

        @Override
        public Payload payload() {
            return new Payload.RingState(index, size);
        }
    }

    /// Says where the three areas lie.
    record SetVringAddr(Payload.RingAddresses addresses) implements RingMessage {
        @Override
        public int index() {
            return addresses.index();
        }

        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_ADDR;
        }

        @Override
        public Payload payload() {
            return addresses;
        }
    }

    /// Sets the next available index, 0 to 65535, at which the ring goes on.
    record SetVringBase(int index, int base) implements RingMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_BASE;
        }

        @Override
        public Payload payload() {
            return new Payload.RingState(index, base);
        }
    }

    /// Stops the ring. Answered with the ring's state: the next available index.
    ///
    /// @param index the ring
    /// @param ignored a number without meaning; QEMU sends 0
    record GetVringBase(int index, int ignored) implements RingMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_VRING_BASE;
        }

        @Override
        public Payload payload() {
            return new Payload.RingState(index, ignored);
        }
    }

    /// Hands over what the driver signals, and thereby starts the ring.
    record SetVringKick(RingFd ring) implements RingMessage {
        @Override
        public int index() {
            return ring.index();
        }

        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_KICK;
        }

        @Override
        public Payload payload() {
            return ring.payload();
        }

        @Override
        public List<Fd> fds() {
            return ring.fd().stream().toList();
        }
    }

    /// Hands over what the device signals for the driver.
    record SetVringCall(RingFd ring) implements RingMessage {
        @Override
        public int index() {
            return ring.index();
        }

        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_CALL;
        }

        @Override
        public Payload payload() {
            return ring.payload();
        }

        @Override
        public List<Fd> fds() {
            return ring.fd().stream().toList();
        }
    }

    /// Hands over what the device signals when the ring is broken.
    record SetVringErr(RingFd ring) implements RingMessage {
        @Override
        public int index() {
            return ring.index();
        }

        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_ERR;
        }

        @Override
        public Payload payload() {
            return ring.payload();
        }

        @Override
        public List<Fd> fds() {
            return ring.fd().stream().toList();
        }
    }

    /// Says whether the ring is to be processed.
    ///
    /// @param index the ring
    /// @param enabled 1 yes, 0 no
    record SetVringEnable(int index, int enabled) implements RingMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_VRING_ENABLE;
        }

        @Override
        public Payload payload() {
            return new Payload.RingState(index, enabled);
        }
    }
}
