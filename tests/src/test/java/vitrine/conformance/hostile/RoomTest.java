package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.RenameIn;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// A guest that leaves no room for the answer, or too little.
class RoomTest {

    private static final int HEADER = 16;

    @TempDir
    Path temporary;

    /// Where the header of a reply does not fit there is no reply, where its struct does not fit there
    /// is EINVAL. In neither case has anything been done: the guest could not have learnt of it, and
    /// of a file that it does not know to be open it does not know to release it.
    ///
    /// Caught: `Opcode.structsAnswered` that is 0 for CREATE (the file is made, EINVAL is answered);
    /// `writeError` without its check of the room.
    @ParameterizedTest
    @EnumSource
    void whatCannotBeAnsweredIsNotDone(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDWR);
            var before = attack.shareNow();
            long descriptors = attack.victim.descriptors();

            requests(attack, file, fh).forEach((request, struct) -> {
                for (int room = 0; room < HEADER + struct; room++) {
                    Returned answer = attack.ask(Attack.bytes(request), room);
                    String what = request + " with room for " + room + ": " + answer;
                    if (room < HEADER) {
                        assertTrue(answer.isEmpty(), what);
                    } else {
                        assertEquals(Errno.EINVAL, answer.errno(), what);
                    }
                    assertTrue(attack.driver().isUntouchedFrom(answer.written()), what);
                }
            });

            assertEquals(before, attack.shareNow());
            assertEquals(descriptors, attack.victim.descriptors());
            attack.verifyNothingIsHarmed();
        }
    }

    /// INIT that cannot be answered begins no session, and ends the one that was.
    @ParameterizedTest
    @EnumSource
    void anInitThatCannotBeAnsweredBeginsNothing(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            assertEquals(0, attack.errno(new SessionRequest.Destroy(attack.header(0))));
            SessionRequest.Init init = new SessionRequest.Init(attack.header(0), new InitIn(7, 38, 0, -1, -1));

            assertEquals(
                    Errno.EINVAL, attack.ask(Attack.bytes(init), HEADER + 63).errno());

            assertEquals(Errno.EIO, attack.errno(attack.getattr()));
            assertEquals(0, attack.ask(Attack.bytes(init), HEADER + 64).errno());
            attack.verifyNothingIsHarmed();
        }
    }

    /// More room than the answer needs stays untouched, and the answer says how long it is.
    @ParameterizedTest
    @EnumSource
    void moreRoomThanNeededStaysUntouched(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDWR);

            requests(attack, file, fh).forEach((request, struct) -> {
                Returned answer = attack.ask(Attack.bytes(request), 60_000);
                assertNotEquals(Errno.EIO, answer.errno(), request::toString);
                assertTrue(attack.driver().isUntouchedFrom(answer.written()), request::toString);
                if (answer.errno() == 0) {
                    assertEquals(HEADER + struct, answer.written(), request::toString);
                }
            });

            attack.verifyNothingIsHarmed();
        }
    }

    /// Requests that would succeed, in an order in which they can, and the size of the structs that
    /// answer them.
    private static Map<FuseRequest, Integer> requests(Attack attack, long file, long fh) {
        Map<FuseRequest, Integer> requests = new LinkedHashMap<>();
        int valid = (int) SetattrFlag.SIZE.bit();
        SetattrIn truncate = new SetattrIn(valid, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        CopyFileRangeIn copy = new CopyFileRangeIn(fh, 0, file, fh, 5000, 10, 0);
        CreateIn create = new CreateIn(Fcntl.O_RDWR, 0644, 0, 0);
        requests.put(new InodeRequest.Lookup(attack.header(1), Name.of("dir")), 128);
        requests.put(new InodeRequest.Getattr(attack.header(1), new GetattrIn(0, 0)), 104);
        requests.put(new InodeRequest.Statfs(attack.header(1)), 80);
        requests.put(new FileRequest.Lseek(attack.header(file), new LseekIn(fh, 0, Fcntl.SEEK_END)), 8);
        requests.put(new DirectoryRequest.Symlink(attack.header(1), Name.of("symlink"), Name.of("target")), 128);
        requests.put(
                new DirectoryRequest.Mknod(attack.header(1), new MknodIn(Stat.S_IFIFO, 0, 0), Name.of("fifo")), 128);
        requests.put(new DirectoryRequest.Mkdir(attack.header(1), new MkdirIn(0755, 0), Name.of("new")), 128);
        requests.put(new DirectoryRequest.Link(attack.header(1), new LinkIn(file), Name.of("second")), 128);
        requests.put(new FileRequest.Create(attack.header(1), create, Name.of("created")), 144);
        requests.put(new FileRequest.Open(attack.header(file), new OpenIn(Fcntl.O_RDWR, 0)), 16);
        requests.put(new DirectoryRequest.Opendir(attack.header(1), new OpenIn(0, 0)), 16);
        requests.put(
                new FileRequest.Write(
                        attack.header(file), new WriteIn(fh, 2000, 10, 0, 0, 0), Buffers.ofBytes(new byte[10])),
                8);
        requests.put(new FileRequest.CopyFileRange(attack.header(file), copy), 8);
        requests.put(new FileRequest.CopyFileRange64(attack.header(file), copy), 8);
        requests.put(new InodeRequest.Setattr(attack.header(file), truncate), 104);
        requests.put(new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, 0, 9000, 0)), 0);
        requests.put(
                new DirectoryRequest.Rename(attack.header(1), new RenameIn(1), Name.of("file"), Name.of("renamed")), 0);
        requests.put(new DirectoryRequest.Unlink(attack.header(1), Name.of("link")), 0);
        return requests;
    }
}
