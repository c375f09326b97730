package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.InterruptIn;
import vitrine.fuse.struct.NotifyRetrieveIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;

/// Requests that come when they must not: before INIT, after DESTROY, on the wrong queue.
class LifeOfASessionTest {

    private static final long SEED = 8;

    @TempDir
    Path temporary;

    /// Without a session each request is EIO, and what is not answered is taken without a word.
    ///
    /// Caught: `case FuseRequest other when agreed == null` removed from `FuseSession.answer`.
    @ParameterizedTest
    @EnumSource
    void withoutASessionNothingIsDone(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            assertEquals(0, attack.errno(new SessionRequest.Destroy(attack.header(0))));
            var before = attack.shareNow();

            for (Class<? extends FuseRequest> record : AnyRequest.RECORDS) {
                if (record == SessionRequest.Init.class
                        || record == SessionRequest.Destroy.class
                        || record == XattrRequest.Setxattr.class) { // its layout depends on what is agreed
                    continue;
                }
                FuseRequest request = AnyRequest.of(record, new Random(SEED));
                Returned answer = attack.ask(request);
                if (request.opcode() == null || request.opcode().isAnswered()) {
                    assertEquals(Errno.EIO, answer.errno(), request::toString);
                } else {
                    assertTrue(answer.isEmpty(), request::toString);
                }
            }
            assertEquals(0, attack.errno(new SessionRequest.Destroy(attack.header(0)))); // once more is no harm

            assertEquals(before, attack.shareNow());
            attack.init();
            attack.verifyNothingIsHarmed();
        }
    }

    /// A second INIT is another kernel, after a crash for instance: of what the first one held
    /// nothing is left, and nothing of it means anything else by now.
    ///
    /// Caught: `share.clear()` removed from `PassthroughFs.init`; from `PassthroughFs.answer` for
    /// DESTROY.
    @ParameterizedTest
    @EnumSource
    void whatASessionHeldGoesWithIt(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (int i = 0; i < 50; i++) {
                Files.createFile(attack.share.resolve("f" + i));
            }
            holdAndLetGo(attack, () -> {}); // whatever is opened once for good is open then
            long before = attack.victim.descriptors();

            holdAndLetGo(attack, attack::init);
            assertEquals(before, attack.victim.descriptors());
            holdAndLetGo(attack, () -> {
                assertEquals(0, attack.errno(new SessionRequest.Destroy(attack.header(0))));
                assertEquals(before, attack.victim.descriptors());
                attack.init();
            });
            attack.verifyNothingIsHarmed();
        }
    }

    /// A guest that is too old is sent away, and the session that was is over.
    ///
    /// Caught: `agreed = null` removed from `FuseSession.begin`.
    @ParameterizedTest
    @EnumSource
    void anInitThatFailsLeavesNoSession(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (InitIn old : new InitIn[] {
                new InitIn(7, 26, 0, -1, -1),
                new InitIn(7, 0, 0, 0, 0),
                new InitIn(6, 40, 0, -1, -1),
                new InitIn(0, 0, 0, 0, 0)
            }) {
                assertEquals(Errno.EPROTO, attack.errno(new SessionRequest.Init(attack.header(0), old)));
                assertEquals(Errno.EIO, attack.errno(attack.getattr()));
                attack.init();
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// fuse.h, "Protocol negotiation": a guest with a newer major version is told ours and nothing
    /// else, and sends INIT once more.
    ///
    /// Caught: `out.major() == init.in().major()` removed from `FuseSession.begin`.
    @ParameterizedTest
    @EnumSource
    void aNewerMajorVersionIsToldOursAndAsksAgain(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (int major : new int[] {8, 1000, Integer.MAX_VALUE}) {
                InitIn newer = new InitIn(major, 0, 0, -1, -1);
                Returned answer = attack.ask(new SessionRequest.Init(attack.header(0), newer));

                assertEquals(0, answer.errno());
                assertEquals(7, InitOut.decode(answer.payload()).major());
                assertEquals(Errno.EIO, attack.errno(attack.getattr()));
                attack.init();
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// virtio 1.3, 5.11.6.1: FORGET belongs into the high-priority queue, all else into a request
    /// queue. A driver that mixes them up is served all the same.
    @ParameterizedTest
    @EnumSource
    void eachQueueTakesEachRequest(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            FuseRequest forget = new InodeRequest.Forget(attack.header(file), new ForgetIn(1));
            FuseRequest getattr = new InodeRequest.Getattr(attack.header(file), new GetattrIn(0, 0));

            assertEquals(
                    0,
                    attack.victim
                            .queue(0)
                            .ask(Attack.bytes(getattr), Attack.ROOM)
                            .errno());
            assertTrue(attack.ask(forget).isEmpty());
            assertEquals(
                    Errno.ESTALE,
                    attack.victim
                            .queue(0)
                            .ask(Attack.bytes(getattr), Attack.ROOM)
                            .errno());
            attack.verifyNothingIsHarmed();
        }
    }

    /// INTERRUPT and NOTIFY_REPLY are never answered, whatever they are about and wherever they
    /// come: in a session, and when there is none.
    ///
    /// Caught: an answer, or ENOSYS, to either of them.
    @ParameterizedTest
    @EnumSource
    void whatNobodyAnswersDisturbsNobody(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (boolean session : new boolean[] {true, false}) {
                for (int queue = 0; queue < 2; queue++) {
                    for (long unique : new long[] {0, 1, 2, attack.header(1).unique() + 2, -1}) {
                        FuseRequest interrupt = new SessionRequest.Interrupt(attack.header(0), new InterruptIn(unique));
                        FuseRequest reply = new SessionRequest.NotifyReply(
                                attack.header(1), new NotifyRetrieveIn(0, 0), Buffers.EMPTY);
                        for (FuseRequest request : List.of(interrupt, reply)) {
                            assertTrue(attack.victim
                                    .queue(queue)
                                    .ask(Attack.bytes(request), Attack.ROOM)
                                    .isEmpty());
                            assertTrue(attack.victim
                                    .queue(queue)
                                    .ask(Attack.bytes(request), 0)
                                    .isEmpty());
                        }
                    }
                }
                assertEquals(session ? 0 : Errno.EIO, attack.errno(attack.getattr()));
                attack.errno(new SessionRequest.Destroy(attack.header(0)));
            }
            attack.init();
            attack.verifyNothingIsHarmed();
        }
    }

    /// fuse.h: CUSE_INIT, the numbers that were never given, and those that may be given one day.
    /// They are ENOSYS, and the session goes on.
    ///
    /// Caught: a negative number taken for an index.
    @ParameterizedTest
    @EnumSource
    void anUnknownRequestIsNoEnd(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (int number : new int[] {0, 7, 19, 54, 100, 4096, 1 << 20, -1}) {
                for (int size : new int[] {0, 1, 16, 64, 4000}) {
                    InHeader header = attack.header(Attack.ROOT).framing(number, 0, 0);
                    FuseRequest request = new SessionRequest.Unknown(header, Buffers.ofBytes(new byte[size]));
                    assertEquals(Errno.ENOSYS, attack.errno(request));
                }
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// Takes nodeids and handles, lets the session end, and asks for all of them.
    private static void holdAndLetGo(Attack attack, Runnable end) throws Exception {
        long[] nodeids = new long[50];
        long[] handles = new long[50];
        for (int i = 0; i < 50; i++) {
            nodeids[i] = attack.lookup(Attack.ROOT, "f" + i);
            handles[i] = attack.open(nodeids[i], Fcntl.O_RDWR);
        }
        end.run();
        attack.init();
        for (int i = 0; i < 50; i++) {
            ReadIn read = new ReadIn(handles[i], 0, 10, 0, 0, 0);
            assertEquals(Errno.EBADF, attack.errno(new FileRequest.Read(attack.header(nodeids[i]), read)));
            FuseRequest getattr = new InodeRequest.Getattr(attack.header(nodeids[i]), new GetattrIn(0, 0));
            assertEquals(Errno.ESTALE, attack.errno(getattr));
        }
    }
}
