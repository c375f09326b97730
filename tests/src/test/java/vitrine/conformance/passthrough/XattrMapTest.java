package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Extended attributes that have other names on the host.
class XattrMapTest extends SharedFolder {

    private Xattrs xattrs;
    private long node;

    @BeforeEach
    void make() throws Exception {
        Files.writeString(share.resolve("f"), "");
    }

    private void serve(String rules) throws Exception {
        serve(PassthroughOptions.DEFAULT.withXattrMap(XattrMap.parse(rules)));
        xattrs = new Xattrs(guest);
        node = guest.node("f");
    }

    private Fd file() throws ErrnoException {
        return guest.sys.openPath(share.resolve("f").toString(), Fcntl.O_RDONLY);
    }

    private List<String> onHost() throws Exception {
        try (Fd file = file()) {
            return guest.sys.listxattr(file).stream()
                    .map(Name::toString)
                    .sorted()
                    .toList();
        }
    }

    private void setOnHost(String name) throws Exception {
        try (Fd file = file()) {
            guest.sys.setxattr(file, Name.of(name), Buffers.ofBytes("host".getBytes()), 0);
        }
    }

    /// What the guest sets is found by it under its own name, and by the host under the other; of
    /// the host's own attributes the guest sees none.
    @Test
    void aNameIsAnotherOneOnTheHost() throws Exception {
        serve(":map::user.v.:");
        setOnHost("user.host");
        xattrs.set(node, "trusted.overlay", "guest");
        xattrs.set(node, "user.ünïcode", "guest");

        assertEquals(List.of("user.host", "user.v.trusted.overlay", "user.v.user.ünïcode"), onHost());
        assertEquals(List.of("trusted.overlay", "user.ünïcode"), xattrs.list(node));
        assertEquals("guest", xattrs.get(node, "trusted.overlay"));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.get(node, "user.host")));
        xattrs.remove(node, "trusted.overlay");
        assertEquals(List.of("user.host", "user.v.user.ünïcode"), onHost());
    }

    /// The key of a rule need not be ASCII.
    @Test
    void aKeyIsAnyText() throws Exception {
        serve("äprefixäallä日本.äuser.ünï.ä:bad:all:::");

        xattrs.set(node, "日本.x", "guest");

        assertEquals(List.of("user.ünï.日本.x"), onHost());
        assertEquals(List.of("日本.x"), xattrs.list(node));
    }

    /// listxattr(2): the size asked for is the size needed, and room for that is enough, whatever
    /// else the host has.
    ///
    /// Caught: more room asked for than the names take.
    @Test
    void aListIsAsLongAsTheGuestSeesIt() throws Exception {
        serve(":prefix:all:trusted.:user.v.:/bad/all//user.host/:ok:all:::");
        xattrs.set(node, "trusted.a", "guest");
        setOnHost("user.host-" + "x".repeat(200));

        assertEquals(10, xattrs.listSize(node));
        assertEquals("trusted.a\0", xattrs.list(node, 10));
        assertEquals(Errno.ERANGE, Guest.errnoOf(() -> xattrs.list(node, 9)));
    }

    /// If nothing is left of a list it is empty, which is no failure: not even with no room.
    ///
    /// Field report: virtiofsd cb85d2f.
    ///
    /// Caught: a rule that leaves an empty name of one (a lone NUL is EIO in the guest).
    @Test
    void anEmptyListIsASuccess() throws Exception {
        serve(":prefix:all:trusted.:user.v.:/bad/all///");
        setOnHost("user.host");
        setOnHost("user.v.");

        assertEquals(0, xattrs.listSize(node));
        assertEquals("", xattrs.list(node, 1));
        assertEquals("", xattrs.list(node, 100));
    }

    /// Two attributes of the host that would be called the same are listed once.
    ///
    /// Caught: the name listed twice.
    @Test
    void noNameIsListedTwice() throws Exception {
        serve(":prefix:all:trusted.:user.v.:/ok/all///");
        setOnHost("user.v.user.same");
        setOnHost("user.same");

        assertEquals(List.of("user.same"), xattrs.list(node));
    }

    /// A name that is refused, by a rule or because no rule fits, is hidden as if it was not there;
    /// the session goes on.
    ///
    /// Field report: probe: name without a rule.
    ///
    /// Caught: EPERM when the guest reads.
    @Test
    void aNameCanBeRefused() throws Exception {
        serve(":bad:all:user.bad:user.bad:/unsupported/all/user.un/user.un/#ok#all#user.ok#user.ok#");
        for (String name : List.of("user.bad", "user.un", "user.other", "user.ok")) {
            setOnHost(name);
        }

        assertEquals(List.of("user.ok"), xattrs.list(node));
        for (String name : List.of("user.bad", "user.other")) {
            assertEquals(Errno.EPERM, Guest.errnoOf(() -> xattrs.set(node, name, "guest")));
            assertEquals(Errno.EPERM, Guest.errnoOf(() -> xattrs.remove(node, name)));
            assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.get(node, name)));
        }
        assertEquals(Errno.EOPNOTSUPP, Guest.errnoOf(() -> xattrs.set(node, "user.un", "guest")));
        assertEquals(Errno.EOPNOTSUPP, Guest.errnoOf(() -> xattrs.remove(node, "user.un")));
        assertEquals(Errno.EOPNOTSUPP, Guest.errnoOf(() -> xattrs.get(node, "user.un")));
        assertEquals("host", xattrs.get(node, "user.ok"));
    }

    /// A name that is too long on the host is one that nobody has: ERANGE would have the guest ask
    /// again with more room, for ever.
    ///
    /// Caught: the host asked.
    @Test
    void aNameThatIsTooLongOnTheHostIsNotThere() throws Exception {
        serve(":map::user.virtiofs.:");
        String longest = "user." + "x".repeat(250);

        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.get(node, longest)));
        assertEquals(Errno.ENODATA, Guest.errnoOf(() -> xattrs.size(node, longest)));
        assertEquals(Errno.ERANGE, Guest.errnoOf(() -> xattrs.set(node, longest, "x")));
        assertTrue(xattrs.list(node).isEmpty());
    }
}
