package vitrine.guest.cost;

import java.util.Map;
import java.util.TreeMap;

/// What one request spent.
///
/// @param opcode the request
/// @param guestCall the number of the guest's system call that caused it, 0 if none did
/// @param kicks how often the guest had to leave its machine to wake the device
/// @param calls how often the device told the guest that replies are there
/// @param deviceWakes how often the device slept, and was woken by a kick
/// @param guestWakes how often the guest slept, and was woken by a call
/// @param descriptors pieces of guest memory
/// @param copied bytes that the host's kernel moved between its cache and guest memory
/// @param bounced bytes that the daemon copied itself
/// @param awaited whether the guest waited for it; not if it was read ahead
/// @param hostCalls the daemon's system calls, by name
public record Entry(
        String opcode,
        long guestCall,
        long kicks,
        long calls,
        long deviceWakes,
        long guestWakes,
        long descriptors,
        long copied,
        long bounced,
        boolean awaited,
        Map<String, Long> hostCalls) {

    /// Copies the map.
    public Entry {
        hostCalls = Map.copyOf(hostCalls);
    }

    /// Both together.
    public Entry plus(Entry other) {
        Map<String, Long> all = new TreeMap<>(hostCalls);
        other.hostCalls.forEach((name, count) -> all.merge(name, count, Long::sum));
        return new Entry(
                opcode.equals(other.opcode) ? opcode : opcode + "+" + other.opcode,
                guestCall,
                kicks + other.kicks,
                calls + other.calls,
                deviceWakes + other.deviceWakes,
                guestWakes + other.guestWakes,
                descriptors + other.descriptors,
                copied + other.copied,
                bounced + other.bounced,
                awaited || other.awaited,
                all);
    }

    /// The same request, served by another daemon, whose system calls are known.
    public Entry withHostCalls(Map<String, Long> calls) {
        return new Entry(
                opcode,
                guestCall,
                kicks,
                this.calls,
                deviceWakes,
                guestWakes,
                descriptors,
                copied,
                bounced,
                awaited,
                calls);
    }
}
