package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.struct.OpenIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// Flags of the guest's open(2) that reach the host only if an option says so.
class HostFlagsTest {

    @TempDir
    Path share;

    /// `O_DIRECT` would pass by the host's page cache; by OPEN and by CREATE.
    ///
    /// Caught: CREATE passing it on without the option.
    @Test
    void directIoReachesTheHostIfAllowed() throws Exception {
        assertEquals(List.of(0L, 2L), openWithAndWithout(Feature.ALLOW_DIRECT_IO, Fcntl.O_DIRECT));
    }

    /// `O_NOATIME` is for owners, and an unprivileged daemon does not own each file; by OPEN, by
    /// CREATE, and by OPENDIR.
    ///
    /// Caught: passed on always; left out for directories with the option on.
    @Test
    void accessTimesAreKeptIfAskedFor() throws Exception {
        assertEquals(List.of(0L, 3L), openWithAndWithout(Feature.PRESERVE_NOATIME, Fcntl.O_NOATIME));
    }

    private List<Long> openWithAndWithout(Feature feature, int flag) throws Exception {
        return List.of(openWith(flag, feature, false), openWith(flag, feature, true));
    }

    /// How many of three are open on the host with the flag that all were opened with.
    private long openWith(int flag, Feature feature, boolean on) throws Exception {
        Needs.root();
        Files.writeString(share.resolve("f"), "data");
        try (Guest guest = new Guest(share, PassthroughOptions.DEFAULT.with(feature, on))) {
            guest.open(guest.node("f"), flag);
            guest.create(Guest.ROOT, "new" + on, Fcntl.O_CREAT | flag, 0600, 0);
            guest.ask(new DirectoryRequest.Opendir(guest.header(Guest.ROOT), new OpenIn(flag, 0)));

            long count = 0;
            for (String fd : new File("/proc/self/fd").list()) {
                count += isOpenWith(flag, fd) ? 1 : 0;
            }
            return count;
        }
    }

    private boolean isOpenWith(int flag, String fd) throws Exception {
        Path open = Path.of("/proc/self/fd", fd);
        if (!Files.isSymbolicLink(open) || !Files.readSymbolicLink(open).startsWith(share)) {
            return false;
        }
        String flags =
                Files.readString(Path.of("/proc/self/fdinfo", fd)).replaceFirst("(?s).*flags:\\s*(\\d+).*", "$1");
        return (Integer.parseInt(flags, 8) & flag) != 0;
    }
}
