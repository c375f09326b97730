package vitrine.guest.program;

import java.util.List;

/// A system call of a program, and the requests that it should cause.
///
/// @param call as `perform.c` reads it, such as `a = open f O_RDWR`
/// @param variants what is expected of whom; the first that holds counts, and one always does
public record Step(String call, List<Variant> variants) {

    /// The step that no program takes, but the kernel: from the mount to the first call.
    static final String MOUNT = "mount";

    /// And the last one.
    static final String UMOUNT = "umount";

    /// What is expected of some clients.
    record Variant(Condition condition, Seen expected) {}

    /// Copies the list.
    public Step {
        variants = List.copyOf(variants);
    }

    /// What is expected of a client.
    public Seen expected(Client client) {
        return variants.stream()
                .filter(variant -> variant.condition().holdsFor(client))
                .findFirst()
                .orElseThrow()
                .expected();
    }

    /// Whether the program itself takes it.
    boolean isCall() {
        return !call.equals(MOUNT) && !call.equals(UMOUNT);
    }
}
