package vitrine.trace;

import java.util.List;

/// One thing that happened, as a value: a closed set, so that whoever shows or folds events is told
/// by the compiler about each kind.
///
/// An event holds numbers, text and copied bytes; it never points to guest memory or to objects of
/// the daemon, which have changed by the time somebody looks. Numbers keep the unit they have on
/// the wire; `errno` is positive, 0 for success.
public sealed interface TraceEvent {

    /// When, who, and what it belongs to.
    Stamp at();

    /// A program in the guest made a system call.
    ///
    /// @param name as in its man page, such as `pwrite64`
    /// @param arguments as text, without the parentheses
    record GuestCallEntered(Stamp at, String name, String arguments) implements TraceEvent {}

    /// A system call of the guest came back.
    ///
    /// @param result what the call returned, -1 when it failed
    record GuestCallReturned(Stamp at, String name, long result, int errno) implements TraceEvent {}

    /// The guest kernel chose between ways to go on.
    ///
    /// @param rule the name of the rule, such as `write: kill set-ID bits`
    /// @param outcome what it chose
    /// @param inputs what the choice depended on
    record GuestDecision(Stamp at, String rule, String outcome, List<Field> inputs) implements TraceEvent {
        /// Keeps its own copy of the inputs.
        public GuestDecision {
            inputs = List.copyOf(inputs);
        }
    }

    /// The driver put a request into a virtqueue.
    ///
    /// @param indirect whether the descriptors lie in a table of their own (virtio 1.3, 2.7.5.3)
    /// @param descriptors in the order of the chain
    record RequestQueued(Stamp at, String opcode, boolean indirect, List<Descriptor> descriptors)
            implements TraceEvent {
        /// Keeps its own copy of the descriptors.
        public RequestQueued {
            descriptors = List.copyOf(descriptors);
        }
    }

    /// Somebody touched a field of the ring.
    ///
    /// @param access how: its size and its memory order
    /// @param offset in bytes from the start of the area
    /// @param value what was read or written, unsigned; 0 for a fence
    record RingAccess(Stamp at, Access access, Area area, long offset, long value) implements TraceEvent {}

    /// A notification between driver and device was sent, arrived, or was found unnecessary.
    record Notified(Stamp at, Signal signal) implements TraceEvent {}

    /// The device took a chain off the available ring.
    ///
    /// @param readable bytes that the device may read
    /// @param writable bytes that the device may write
    /// @param descriptors how many descriptors the chain has
    record ChainPopped(Stamp at, long readable, long writable, int descriptors) implements TraceEvent {}

    /// The device took a chain that is none, and will give it back unread.
    ///
    /// @param why which rule the driver broke
    record ChainRefused(Stamp at, String why) implements TraceEvent {}

    /// The device gave a chain back through the used ring.
    ///
    /// @param written bytes written to its device-writable side
    record ChainPushed(Stamp at, long written) implements TraceEvent {}

    /// The daemon understood a request.
    ///
    /// @param opcode the name without its prefix, such as `WRITE`
    /// @param fields header fields aside, what the request says; flags by name
    /// @param raw header and arguments as they are on the wire, without file data
    record RequestDecoded(Stamp at, String opcode, Sender sender, List<Field> fields, RawBytes raw)
            implements TraceEvent {
        /// Keeps its own copy of the fields.
        public RequestDecoded {
            fields = List.copyOf(fields);
        }
    }

    /// The file system answered a request.
    ///
    /// @param error an errno, 0 for success
    /// @param payload bytes that follow the reply's header
    /// @param raw the reply's structs as they are on the wire, without file data
    record ReplyGiven(Stamp at, int error, long payload, List<Field> fields, RawBytes raw) implements TraceEvent {
        /// Keeps its own copy of the fields.
        public ReplyGiven {
            fields = List.copyOf(fields);
        }
    }

    /// The daemon made a system call, and it is over; the stamp tells when it ended.
    ///
    /// @param name as in its man page
    /// @param arguments as text, without the parentheses
    record HostCall(Stamp at, String name, String arguments, Outcome outcome) implements TraceEvent {}

    /// A message of vhost-user passed between front end and back end.
    ///
    /// @param name as in the specification, such as `SET_VRING_KICK`
    /// @param summary its payload as text
    record ControlMessage(Stamp at, Direction direction, String name, String summary) implements TraceEvent {}

    /// A gap: events that happened here could not be kept.
    ///
    /// @param events how many
    record Dropped(Stamp at, long events) implements TraceEvent {
        /// The gap that begins where the event `first` would have been.
        static Dropped insteadOf(TraceEvent first, long events) {
            Stamp at = first.at();
            return new Dropped(new Stamp(at.nanos(), at.actor(), at.thread(), Keys.NONE), events);
        }
    }

    /// A named value as text.
    record Field(String name, String value) {}

    /// A piece of memory in a chain.
    ///
    /// @param length in bytes
    /// @param writable whether the device writes it (else it reads it)
    record Descriptor(long length, boolean writable) {}

    /// What the header of a request says about where it comes from (fuse.h: `fuse_in_header`).
    ///
    /// @param nodeid the file or directory it is about, 0 for none
    /// @param uid 0 also where the kernel acts on its own (write-back, RELEASE, FORGET)
    record Sender(long nodeid, int uid, int gid, int pid) {}

    /// How a system call of the host ended.
    ///
    /// @param result what it returned
    /// @param nanos how long it took
    record Outcome(long result, int errno, long nanos) {}

    /// An access to shared memory: named, like the method that makes it, after its order and size.
    enum Access {
        LOAD_16,
        LOAD_32,
        LOAD_64,
        STORE_16,
        STORE_32,
        STORE_64,
        LOAD_ACQUIRE_16,
        STORE_RELEASE_16,
        FULL_FENCE
    }

    /// A part of a virtqueue. For a packed queue: its descriptor ring and two event areas.
    enum Area {
        /// The descriptor table; written by the driver.
        DESCRIPTORS,
        /// The available ring (packed: driver event suppression); written by the driver.
        AVAILABLE,
        /// The used ring (packed: device event suppression); written by the device.
        USED
    }

    /// What became of a notification.
    enum Signal {
        /// The driver told the device that there is work.
        KICK,
        /// The driver saw that the device does not want to be told.
        KICK_SUPPRESSED,
        /// The device woke up by a kick.
        KICK_SEEN,
        /// The device told the driver that replies are there.
        CALL,
        /// The device saw that the driver does not want to be told.
        CALL_SUPPRESSED,
        /// The driver woke up by a call.
        CALL_SEEN
    }

    /// Which way a message of vhost-user went.
    enum Direction {
        TO_BACK_END,
        TO_FRONT_END
    }
}
