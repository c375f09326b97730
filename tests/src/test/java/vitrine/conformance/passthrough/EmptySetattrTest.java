package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.SetattrIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Credentials;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Whose set-ID bits a SETATTR clears that changes nothing, on a file of 1000:2000.
///
/// Linux 6.1 sends it for `chown(-1, -1)` by anybody on any file, as seen on the wire, and before a
/// change of data that has no flag of its own. From a user it must not do to somebody else's
/// program what `chown(2)` would refuse; before a change of data it must do it whoever writes.
class EmptySetattrTest extends SharedFolder {

    private static final Caller OWNER = Caller.USER;
    private static final Caller STRANGER = new Caller(1001, 1001, List.of());
    private static final Caller MEMBER = new Caller(1001, 2000, List.of());
    private static final Name CAPABILITY = Name.of("security.capability");
    private static final byte[] NET_RAW = {0, 0, 0, 2, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    private Fd directory;

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT.with(Feature.XATTR));
        directory = guest.sys.openPath(share.toString(), Fcntl.O_PATH | Fcntl.O_DIRECTORY);
    }

    @AfterEach
    void close() {
        if (directory != null) {
            directory.close();
        }
    }

    private long program(int mode) throws Exception {
        make("program", mode);
        return guest.node("program");
    }

    private void make(String name, int mode) throws Exception {
        Files.deleteIfExists(share.resolve(name));
        Files.writeString(share.resolve(name), "#!/bin/true");
        Files.setAttribute(share.resolve(name), "unix:uid", 1000);
        Files.setAttribute(share.resolve(name), "unix:gid", 2000);
        Files.setAttribute(share.resolve(name), "unix:mode", mode);
    }

    private String outcome(int errno, String name) throws Exception {
        int mode = (Integer) Files.getAttribute(share.resolve(name), "unix:mode") & 07777;
        return (errno == 0 ? "done" : Errno.name(errno)) + " " + Integer.toOctalString(mode);
    }

    /// Sends it, and says what came of it.
    private String sent(Caller sender, long node, SetattrIn in) throws Exception {
        guest.caller = sender;
        int errno = Guest.errnoOf(() -> guest.setattr(node, in));
        guest.caller = Caller.SUPERUSER;
        return outcome(errno, "program");
    }

    private String sent(Caller sender, long node) throws Exception {
        return sent(sender, node, Setattr.nothing());
    }

    /// Does `chown(-1, -1)` on the host, as the same user on a file of the same kind.
    private String natively(Caller sender, int mode) throws Exception {
        make("twin", mode);
        int[] errno = new int[1];
        Thread process = Thread.ofPlatform().start(() -> {
            try {
                Credentials credentials = new Credentials(guest.sys);
                Fd twin = guest.sys.openat(directory, Name.of("twin"), Fcntl.O_PATH, 0);
                credentials.become(sender.uid(), sender.gid(), new int[0]);
                errno[0] = Guest.errnoOf(() -> guest.sys.chown(twin, -1, -1));
                credentials.daemon();
                twin.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        process.join();
        return outcome(errno[0], "twin");
    }

    /// While nobody has the file open for writing it can only be `chown(-1, -1)`, and does what
    /// chown(2) does on the host. With write-back the guest sets the time, and says so.
    ///
    /// Field report: probe: empty SETATTR.
    ///
    /// Caught: it obeyed whoever sends it; refused to the owner; the time taken for a change.
    @ParameterizedTest
    @CsvSource({"4777", "6777", "2777", "2767", "0777"})
    void aChownToNobodyDoesWhatItDoesOnTheHost(String octal) throws Exception {
        int mode = Integer.parseInt(octal, 8);
        for (Caller sender : new Caller[] {OWNER, STRANGER, MEMBER, Caller.SUPERUSER}) {
            long node = program(mode);
            long readOnly = guest.open(node, Fcntl.O_RDONLY | Fcntl.O_TRUNC);
            String expected = natively(sender, mode);

            assertEquals(expected, sent(sender, node), sender.toString());
            guest.release(node, readOnly);
            assertEquals(expected, sent(sender, program(mode), Setattr.nothing(SetattrFlag.CTIME)), "with write-back");
        }
    }

    /// While somebody may be writing it is the announcement of a change of data, and counts from
    /// everybody: who writes may have been given the open file. A set-group-ID bit that marks no
    /// program stays if the writer is in the group.
    ///
    /// Field report: probe: empty SETATTR.
    ///
    /// Caught: handles not looked at; those of other files looked at; released ones, too.
    @Test
    void whileTheFileIsOpenForWritingItCountsFromEverybody() throws Exception {
        long node = program(06777);
        make("other", 0666);
        guest.open(guest.node("other"), Fcntl.O_RDWR);
        long fh = guest.open(node, Fcntl.O_WRONLY);

        assertEquals("done 777", sent(STRANGER, node));
        guest.setattr(node, Setattr.mode(02767));
        assertEquals("done 2767", sent(MEMBER, node));
        assertEquals("done 767", sent(STRANGER, node));

        guest.setattr(node, Setattr.mode(06777));
        guest.release(node, fh);
        assertEquals("EPERM 6777", sent(STRANGER, node));
    }

    /// When root writes, the bits stay, but the capabilities go: by REMOVEXATTR and this, which is
    /// all that is left of "remove the privileges". Once, and only if a write may follow.
    ///
    /// Caught: bits cleared; kept the next time as well, or while nobody can be writing; a user's
    /// removal taken for root's.
    @Test
    void rootsWriteTakesTheCapabilitiesAndLeavesTheBits() throws Exception {
        long node = program(06777);
        long fh = guest.open(node, Fcntl.O_WRONLY);
        setAndRemoveCapabilities(node, Caller.SUPERUSER);
        assertEquals("done 6777", sent(Caller.SUPERUSER, node));
        assertEquals("done 777", sent(Caller.SUPERUSER, node)); // chown(-1, -1)

        guest.setattr(node, Setattr.mode(06777));
        setAndRemoveCapabilities(node, OWNER);
        assertEquals("done 777", sent(Caller.SUPERUSER, node));

        guest.release(node, fh);
        guest.setattr(node, Setattr.mode(06777));
        setAndRemoveCapabilities(node, Caller.SUPERUSER);
        assertEquals("done 777", sent(Caller.SUPERUSER, node));
    }

    private void setAndRemoveCapabilities(long node, Caller who) throws Exception {
        Fd file = guest.sys.openat(directory, Name.of("program"), Fcntl.O_PATH, 0);
        guest.sys.setxattr(file, CAPABILITY, Buffers.ofBytes(NET_RAW), 0);
        file.close();
        guest.caller = who;
        guest.ask(new XattrRequest.Removexattr(guest.header(node), CAPABILITY));
        guest.caller = Caller.SUPERUSER;
    }

    /// fuse.h, FUSE_ALLOW_IDMAP: nobody says who sends it. A change of data takes the bits, for
    /// safety; what nobody is known to own stays. And a WRITE takes them as ever.
    ///
    /// Caught: -1 taken for a group, and for a user; cleared while nobody can be writing; cleared
    /// without V2; the flag not looked at.
    @Test
    void whoseItIsMayNotBeTold() throws Exception {
        Caller notTold = new Caller(-1, -1, List.of());
        guest.init(45, Guest.ALL_FLAGS);
        long node = program(06777);

        assertEquals("done 6777", sent(notTold, node));
        assertEquals("done 777", sent(notTold, node, Setattr.nothing(SetattrFlag.KILL_SUIDGID)));
        guest.setattr(node, Setattr.mode(06777));
        long fh = guest.open(node, Fcntl.O_WRONLY);
        assertEquals("done 777", sent(notTold, node));
        guest.setattr(node, Setattr.mode(06777));
        guest.caller = notTold;
        guest.write(node, fh, 0, "other", WriteFlag.KILL_SUIDGID);
        assertEquals("done 777", outcome(0, "program"));
        guest.setattr(node, Setattr.mode(06777));
        guest.setattr(node, Setattr.size(3, SetattrFlag.KILL_SUIDGID));
        assertEquals("done 777", outcome(0, "program"));

        guest.init(45, Guest.without(InitFlag.HANDLE_KILLPRIV_V2));
        guest.open(guest.node("program"), Fcntl.O_WRONLY);
        guest.setattr(guest.node("program"), Setattr.mode(06777));
        assertEquals("done 6777", sent(notTold, guest.node("program")));
    }

    /// Without V2 the guest sends the new mode itself. What is empty all the same is about
    /// capabilities when root sends it, and about a set-group-ID bit that FUSE has no word for when
    /// a user does.
    ///
    /// Caught: root's obeyed; a user's ignored.
    @Test
    void withoutV2AUsersIsAboutTheMarkOfAGroupOnly() throws Exception {
        guest.init(38, Guest.without(InitFlag.HANDLE_KILLPRIV_V2));
        long node = program(06777);
        guest.open(node, Fcntl.O_WRONLY);

        assertEquals("done 6777", sent(Caller.SUPERUSER, node));
        guest.setattr(node, Setattr.mode(02767));
        assertEquals("done 767", sent(STRANGER, node));
        assertEquals("EPERM 2767", sent(STRANGER, program(02767)));
        assertEquals("done 767", sent(OWNER, program(02767)));
    }
}
