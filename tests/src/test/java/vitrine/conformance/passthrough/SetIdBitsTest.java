package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.FallocateIn;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;

/// Which requests take the set-ID bits off a program, of the file 1000:2000 in a group that the
/// daemon is not in.
///
/// What a local file system does is in the rows; what a guest's kernel sends is in the column heads
/// of its own table. A bit too many is a hole: somebody's program, with another's contents, runs
/// with the owner's rights. A bit too few breaks root's `cp`.
class SetIdBitsTest extends SharedFolder {

    private static final int KILL_OPEN = Flag.word32(OpenFlag.KILL_SUIDGID);
    private static final long V2 = InitFlag.HANDLE_KILLPRIV_V2.bit();

    @BeforeEach
    void serve() throws Exception {
        serve(PassthroughOptions.DEFAULT);
    }

    private long program(int mode) throws Exception {
        guest.setattr(Guest.ROOT, Setattr.mode(0777)); // this thread has CAP_FSETID again
        Path program = share.resolve("program");
        Files.deleteIfExists(program);
        Files.writeString(program, "#!/bin/true");
        Files.setAttribute(program, "unix:uid", 1000);
        Files.setAttribute(program, "unix:gid", 2000);
        Files.setAttribute(program, "unix:mode", mode);
        return guest.node("program");
    }

    private int mode() throws Exception {
        return (Integer) Files.getAttribute(share.resolve("program"), "unix:mode") & 07777;
    }

    /// WRITE obeys its flag, and nothing else: Linux sets it on direct writes even if nothing was
    /// agreed.
    ///
    /// Field reports: libfuse #1580, fuser #723, probe: kill flag without V2.
    ///
    /// Caught: the flag obeyed with V2 only; bits cleared without the flag.
    @ParameterizedTest
    @CsvSource({"4777, 0777", "2777, 0777", "2767, 0767", "6777, 0777", "0777, 0777"})
    void aWriteClearsThemIfItsFlagSaysSo(String octal, String cleared) throws Exception {
        for (long offered : new long[] {Guest.ALL_FLAGS, Guest.ALL_FLAGS & ~V2}) {
            guest.init(38, offered);
            long node = program(Integer.parseInt(octal, 8));
            long fh = guest.open(node, Fcntl.O_RDWR);

            guest.write(node, fh, 0, "new"); // by root
            assertEquals(Integer.parseInt(octal, 8), mode());
            guest.write(node, fh, 0, "new", WriteFlag.KILL_SUIDGID);

            assertEquals(Integer.parseInt(cleared, 8), mode());
        }
    }

    /// Requests of different kinds, one after the other on one thread: each has its own result.
    ///
    /// Caught: the capability given up for one request and missing in the next.
    @Test
    void oneWritesFlagDoesNotLastForTheNext() throws Exception {
        long node = program(06777);
        long fh = guest.open(node, Fcntl.O_RDWR);
        guest.write(node, fh, 0, "new", WriteFlag.KILL_SUIDGID);

        guest.setattr(node, Setattr.mode(06777));
        assertEquals(06777, mode());
        guest.write(node, fh, 0, "new");
        assertEquals(06777, mode());
        guest.write(node, fh, 0, "new", WriteFlag.KILL_SUIDGID);
        guest.setattr(node, Setattr.mode(06777));
        guest.setattr(node, Setattr.size(3));
        assertEquals(06777, mode());
        guest.write(node, fh, 0, "new", WriteFlag.KILL_SUIDGID);
        guest.setattr(node, Setattr.mode(06777));
        guest.ask(new FileRequest.Fallocate(guest.header(node), new FallocateIn(fh, 0, 100, 0)));
        assertEquals(06777, mode());
    }

    /// open(2) with O_TRUNC. Without V2 the guest is not allowed to send it: it truncates by
    /// SETATTR.
    ///
    /// Field report: libfuse #1580.
    ///
    /// Caught: the flag ignored; ATOMIC_O_TRUNC taken without V2.
    @ParameterizedTest
    @CsvSource({"6777, 0777", "2767, 0767"})
    void aTruncatingOpenClearsThemIfItsFlagSaysSo(String octal, String cleared) throws Exception {
        int before = Integer.parseInt(octal, 8);
        guest.open(program(before), Fcntl.O_RDWR | Fcntl.O_TRUNC, 0);
        assertEquals(before, mode());
        guest.open(program(before), Fcntl.O_RDWR, KILL_OPEN); // truncates nothing
        assertEquals(before, mode());
        guest.open(program(before), Fcntl.O_RDWR | Fcntl.O_TRUNC, KILL_OPEN);
        assertEquals(Integer.parseInt(cleared, 8), mode());

        long atomic = InitFlag.ATOMIC_O_TRUNC.bit();
        assertEquals(V2 | atomic, guest.init(38, V2 | atomic).allFlags());
        assertEquals(0, guest.init(38, atomic).allFlags());
    }

    /// CREATE of a program that is there already and is truncated: as open(2) by the caller.
    ///
    /// Field report: libfuse #1580.
    ///
    /// Caught: an existing file truncated as the daemon.
    @Test
    void aTruncatingCreateClearsThem() throws Exception {
        int flags = Fcntl.O_CREAT | Fcntl.O_RDWR | Fcntl.O_TRUNC;
        program(06777);
        guest.caller = Caller.USER;
        guest.create(Guest.ROOT, "program", flags, 0644, KILL_OPEN);
        assertEquals(0777, mode());

        guest.caller = Caller.SUPERUSER;
        program(06777);
        guest.create(Guest.ROOT, "program", flags, 0644, 0);
        assertEquals(06777, mode());
        guest.create(Guest.ROOT, "program", flags, 0644, KILL_OPEN); // a root without CAP_FSETID
        assertEquals(0777, mode());
    }

    /// truncate(2) and ftruncate(2).
    ///
    /// Caught: the flag ignored; it obeyed with a handle only.
    @ParameterizedTest
    @CsvSource({"6777, 0777", "2767, 0767"})
    void aTruncateClearsThemIfItsFlagSaysSo(String octal, String cleared) throws Exception {
        int before = Integer.parseInt(octal, 8);
        guest.setattr(program(before), Setattr.size(1, SetattrFlag.LOCKOWNER));
        assertEquals(before, mode());
        guest.setattr(program(before), Setattr.size(1, SetattrFlag.LOCKOWNER, SetattrFlag.KILL_SUIDGID));
        assertEquals(Integer.parseInt(cleared, 8), mode());

        long node = program(before);
        long fh = guest.open(node, Fcntl.O_RDWR);
        guest.setattr(node, Setattr.size(1, fh));
        assertEquals(before, mode());
        guest.setattr(node, Setattr.size(1, fh, SetattrFlag.KILL_SUIDGID));
        assertEquals(Integer.parseInt(cleared, 8), mode());
    }

    /// chown(2) by anybody clears them, but for a set-group-ID bit that marks no program.
    @ParameterizedTest
    @CsvSource({"6777, 0777", "4777, 0777", "2767, 2767"})
    void aChownClearsThemOfAProgram(String octal, String cleared) throws Exception {
        int before = Integer.parseInt(octal, 8);
        for (SetattrFlag[] valid : new SetattrFlag[][] {
            {SetattrFlag.GID, SetattrFlag.KILL_SUIDGID},
            {SetattrFlag.UID, SetattrFlag.GID, SetattrFlag.KILL_SUIDGID},
            {SetattrFlag.UID}
        }) {
            guest.setattr(program(before), Setattr.owner(1001, 2001, valid));
            assertEquals(Integer.parseInt(cleared, 8), mode());
        }
    }

    /// A SETATTR with nothing to set is what is left of "clear the set-ID bits" once
    /// HANDLE_KILLPRIV_V2 has been agreed: before FALLOCATE, before a write through a DAX window,
    /// and for chown(-1, -1). The flag alone says the same, whatever was agreed.
    ///
    /// Caught: both taken literally, as the production daemons do; a directory's bit cleared.
    @Test
    void anEmptySetattrIsAPleaToClearThem() throws Exception {
        guest.setattr(program(06777), Setattr.nothing());
        assertEquals(0777, mode());
        guest.setattr(program(06777), Setattr.nothing(SetattrFlag.LOCKOWNER));
        assertEquals(0777, mode());
        guest.setattr(program(02767), Setattr.nothing());
        assertEquals(02767, mode()); // no program

        long directory = guest.mkdir(Guest.ROOT, "directory", 0755).nodeid();
        guest.setattr(directory, Setattr.mode(02777));
        guest.setattr(directory, Setattr.nothing());
        assertEquals(042777, guest.getattr(directory).mode());

        guest.init(38, Guest.ALL_FLAGS & ~V2);
        guest.setattr(program(06777), Setattr.nothing());
        assertEquals(06777, mode());
        guest.setattr(program(06777), Setattr.nothing(SetattrFlag.KILL_SUIDGID));
        assertEquals(0777, mode());
    }

    /// chmod(2) sets exactly what it says.
    @Test
    void aChmodSetsThem() throws Exception {
        guest.setattr(program(0777), Setattr.mode(0106755));
        assertEquals(06755, mode());
    }
}
