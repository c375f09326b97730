package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.kernel.KernelProfile;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// Who clears set-ID bits: which requests a guest sends for it.
///
/// The sequences are those of a Linux guest (6.1 and 6.12, seen on the wire) on a file of 1000:2000
/// and a caller 1000:1000, in the words of [SentRequests]. What becomes of the file is in
/// [KillPrivTableTest].
class KillPrivTest {

    @TempDir
    private Path share;

    @BeforeEach
    void share() throws Exception {
        Needs.root();
        Files.setAttribute(share, "unix:mode", 0755);
    }

    private String requests(PassthroughOptions options, KernelProfile client, Row row) throws Exception {
        new PrivilegedFile(row.mode, false).make(share);
        return new SentRequests(share, options, client).of(row.deed, Caller.named(row.who));
    }

    private String requests(boolean xattr, boolean killprivV2, Row row) throws Exception {
        PassthroughOptions options =
                PassthroughOptions.DEFAULT.with(Feature.XATTR, xattr).with(Feature.KILLPRIV_V2, killprivV2);
        return requests(options, KernelProfile.LINUX_6_1, row);
    }

    private record Row(String deed, int mode, String who) {}

    /// Without an agreement the guest finds out the mode and sets it; with V2 it orders the kill:
    /// by a flag of the request where there is one, and by a SETATTR that says nothing (fuse.h:
    /// FUSE_HANDLE_KILLPRIV_V2). With extended attributes it asks for capabilities before; without
    /// V2 every time.
    ///
    /// Seen to catch: no GETATTR before the mode is set; nothing remembered with V2; the handle in
    /// the SETATTR of O_TRUNC; the flag of WRITE forgotten.
    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', textBlock = """
            write          | 4777 | owner  | GA, SA MODE, WRITE                      | SA, WRITE KILL
            write          | 2777 | owner  | GA, SA MODE, WRITE                      | SA, WRITE KILL
            write          | 6777 | owner  | GA, SA MODE, WRITE                      | SA, WRITE KILL
            write          | 2767 | owner  | GA, SA, WRITE                           | SA, WRITE KILL
            write          | 2767 | member | WRITE                                   | WRITE KILL
            write          | 0777 | owner  | WRITE                                   | WRITE KILL
            write          | 4777 | root   | WRITE                                   | WRITE
            append         | 6777 | owner  | GA, SA MODE, WRITE                      | SA, WRITE KILL
            write O_DIRECT | 6777 | owner  | GA, SA MODE, WRITE LOCKOWNER KILL       | SA, WRITE LOCKOWNER KILL
            open O_TRUNC   | 6777 | owner  | GA FH, SA MODE SIZE LOCKOWNER           | ''
            open O_TRUNC   | 6777 | root   | SA SIZE LOCKOWNER                       | ''
            truncate       | 6777 | owner  | GA, SA MODE SIZE LOCKOWNER              | SA SIZE LOCKOWNER KILL
            ftruncate      | 6777 | owner  | GA FH, SA MODE SIZE FH LOCKOWNER        | SA SIZE FH LOCKOWNER KILL
            fallocate      | 6777 | owner  | GA, SA MODE, FALLOCATE                  | SA, FALLOCATE
            chgrp          | 6777 | owner  | GA, SA MODE GID                         | SA GID KILL
            chown          | 6777 | root   | GA, SA MODE UID GID                     | SA UID GID KILL
            chown nothing  | 6777 | owner  | GA, SA MODE                             | SA
            """)
    void theRequestsAreThoseOfLinux(String deed, String mode, String who, String none, String v2) throws Exception {
        Row row = new Row(deed, Integer.parseInt(mode, 8), who);
        boolean truncates = deed.equals("open O_TRUNC");
        boolean kills = truncates && !who.equals("root");
        String open = deed.startsWith("ch") || deed.equals("truncate") ? "" : "OPEN, ";
        String openV2 = truncates ? "OPEN" + (kills ? " KILL" : "") : open;

        assertEquals(open + none, requests(false, false, row), "none");
        assertEquals(open + "GX, " + none, requests(true, false, row), "none, with extended attributes");
        assertEquals(openV2 + v2, requests(false, true, row), "V2");
        String asked = truncates ? openV2 + ", GX" : openV2 + "GX, " + v2;
        assertEquals(asked, requests(true, true, row), "V2, with extended attributes");
    }

    /// Only V2 lets a guest remember that there is nothing to kill (Linux: `SB_NOSEC`).
    @Test
    void withV2ThreeWritesAskOnceAndWithoutItThreeTimes() throws Exception {
        Row plain = new Row("write thrice", 0777, "owner");
        Row program = new Row("write thrice", 04777, "owner");

        assertEquals("OPEN, WRITE, WRITE, WRITE", requests(false, false, plain));
        assertEquals("OPEN, GX, WRITE, GX, WRITE, GX, WRITE", requests(true, false, plain));
        assertEquals("OPEN, GX, WRITE KILL, WRITE KILL, WRITE KILL", requests(true, true, plain));
        assertEquals("OPEN, GX, SA, WRITE KILL, WRITE KILL, WRITE KILL", requests(true, true, program));
    }

    /// A client that does not know of O_TRUNC within OPEN truncates by SETATTR, without the handle.
    @Test
    void withoutAtomicTruncationTheSetattrCarriesTheKill() throws Exception {
        PassthroughOptions options = PassthroughOptions.DEFAULT.with(Feature.XATTR);
        KernelProfile client = KernelProfile.LINUX_6_1.without(InitFlag.ATOMIC_O_TRUNC);
        Row row = new Row("open O_TRUNC", 06777, "owner");

        assertEquals("OPEN, GX, SA SIZE LOCKOWNER KILL", requests(options, client, row));
    }

    /// On files that are open for direct I/O, killing is the server's job, whatever was agreed
    /// (Linux sets the flag, and asks nothing); FALLOCATE has no flag, so there it is as ever. The
    /// first GETATTR is for permissions: this server allows no timeout.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void directWritesCarryTheKillWhateverWasAgreed(boolean killprivV2) throws Exception {
        PassthroughOptions options = PassthroughOptions.DEFAULT
                .withCache(CachePolicy.NEVER)
                .with(Feature.XATTR)
                .with(Feature.KILLPRIV_V2, killprivV2);

        KernelProfile linux = KernelProfile.LINUX_6_1;

        assertEquals("GA, OPEN, WRITE LOCKOWNER KILL", requests(options, linux, new Row("write", 06777, "owner")));
        assertEquals("GA, OPEN, WRITE LOCKOWNER", requests(options, linux, new Row("write", 06777, "root")));
        assertEquals(
                killprivV2 ? "GA, OPEN, GX, SA, FALLOCATE" : "GA, OPEN, GX, GA, SA MODE, FALLOCATE",
                requests(options, linux, new Row("fallocate", 06777, "owner")));
    }
}
