package vitrine.fuse;

import java.util.List;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.wire.Buffers;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// What a file system answers to a request: what follows the 16-byte header in the guest's buffers.
public sealed interface Reply {

    /// The request is done, and there is nothing more to say.
    Reply EMPTY = new Empty();

    /// There is no reply at all, as for FORGET.
    Reply NONE = new None();

    /// One struct.
    record Struct(WireStruct value) implements Reply {
        @Override
        public long size() {
            return value.sizeInBytes();
        }

        @Override
        public void encode(WireWriter out) {
            value.encode(out);
        }
    }

    /// Several structs one after the other: CREATE answers with an entry and an open file, READDIR
    /// with as many entries as fit.
    record Structs(List<? extends WireStruct> values) implements Reply {

        /// Keeps a list of its own.
        public Structs {
            values = List.copyOf(values);
        }

        /// These structs in this order.
        public Structs(WireStruct... values) {
            this(List.of(values));
        }

        @Override
        public long size() {
            long size = 0;
            for (WireStruct value : values) {
                size += value.sizeInBytes();
            }
            return size;
        }

        @Override
        public void encode(WireWriter out) {
            values.forEach(value -> value.encode(out));
        }
    }

    /// So many bytes of data, which the file system has already put where the request's `into`
    /// pointed.
    record Filled(long size) implements Reply {
        @Override
        public void encode(WireWriter out) {
            // They are where they belong.
        }
    }

    /// A few bytes that are not in the guest's buffers yet.
    record Bytes(Buffers data) implements Reply {
        @Override
        public long size() {
            return data.size();
        }

        @Override
        public void encode(WireWriter out) {
            out.buffers(data);
        }
    }

    /// See [#EMPTY].
    record Empty() implements Reply {}

    /// The request failed.
    ///
    /// @param errno positive, as in `errno.h`; the header carries it negated
    record Error(int errno) implements Reply {
        @Override
        public String toString() {
            return "Error[" + Errno.name(errno) + "]";
        }
    }

    /// See [#NONE].
    record None() implements Reply {}

    /// There is no reply yet: the request waits for somebody else, as SETLKW does for a lock.
    ///
    /// Nobody may stand still for it, least of all the queue, for who holds the lock gives it up by
    /// a request in the same queue. Whoever serves the request keeps its buffers and tries again,
    /// on a thread that serves requests, as often as it likes. Whoever will not try again says so
    /// ([Attempt#giveUp]).
    ///
    /// @param attempt another try
    /// @param waitsFor who has to do something before
    record NotYet(Attempt attempt, WaitsFor waitsFor) implements Reply {}

    /// See [NotYet].
    enum WaitsFor {
        /// Whoever holds the lock: a process of this guest, perhaps, whose unlock comes through the
        /// same queue.
        A_LOCK,
        /// The front end, which does not need this queue.
        THE_FRONT_END,
        /// A program on the host that has a lease on the file (fcntl(2)), and has been told.
        A_LEASE
    }

    /// See [NotYet].
    @FunctionalInterface
    interface Attempt {

        /// Tries. Does not wait.
        ///
        /// @return the reply, or another [NotYet]
        /// @throws ErrnoException if the guest is to be told this errno
        Reply answer() throws ErrnoException;

        /// Nobody will try again. Does nothing if there is a reply already.
        default void giveUp() {
            // Most leave no trace while they wait.
        }
    }

    /// How many bytes follow the header.
    default long size() {
        return 0;
    }

    /// Writes what follows the header.
    default void encode(WireWriter out) {
        // Nothing follows.
    }
}
