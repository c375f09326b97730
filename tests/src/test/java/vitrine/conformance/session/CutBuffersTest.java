package vitrine.conformance.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.kernel.RandomDeeds;
import vitrine.conformance.posix.HostKernel;
import vitrine.conformance.rules.Needs;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.GuestKernel;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.SetClock;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.DaxMount;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.guest.kernel.linux.LinuxKernel;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.session.FuseSession;
import vitrine.virtqueue.DescriptorChain;
import vitrine.virtqueue.RingFormat;
import vitrine.wire.Buffers;

/// (virtio 1.3, 2.7.4 and 2.8.5): how a driver cuts its buffers means nothing.
class CutBuffersTest {

    private static final int ROOM = 300;
    private static final KernelProfile LINUX = KernelProfile.LINUX_6_12;
    private static final SetClock CLOCK = new SetClock(1_700_000_000_000_000_000L);

    @Provide
    Arbitrary<FuseRequest> requests() {
        return Arbitraries.randomValue(AnyRequest::of);
    }

    @Provide
    Arbitrary<CutMachine.Setup> setups() {
        return Combinators.combine(Arbitraries.of(RingFormat.class), Arbitraries.of(true, false), Arbitraries.longs())
                .as(CutMachine.Setup::new);
    }

    /// Any request, of every kind that there is: however it and the room for its reply are cut,
    /// directly in the ring or in a table, with an empty piece here and there and across regions of
    /// memory, the file system is asked the same, and the reply has the same bytes.
    ///
    /// Seen to catch: a piece that goes into the next region refused; one without memory looked
    /// for; eight bytes of a reply stored across the end of a piece.
    @Property(tries = 400)
    void aRequestAndItsReplyAreTheSameHoweverTheyAreCut(
            @ForAll("requests") FuseRequest request, @ForAll("setups") CutMachine.Setup setup) throws Exception {
        Answering whole = new Answering();
        byte[] expected = new byte[ROOM];
        FuseSession session = new FuseSession(whole);
        begin(session, request);
        long length = session.serve(new DescriptorChain(0, request.encode().all(), Buffers.ofBytes(expected), 2));

        Answering cut = new Answering();
        byte[] reply = new byte[ROOM];
        try (CutMachine machine = new CutMachine(cut, setup)) {
            begin(machine.session, request);
            assertEquals(length, machine.serve(request, reply));
            assertEquals(whole.asked, cut.asked);
            assertArrayEquals(expected, reply);
        }
    }

    /// The daemon as it is, and what programs do to its share: the same requests by the same
    /// numbers, the same answers, and the same files in the end.
    ///
    /// Seen to catch: a piece without memory looked for.
    @Property(tries = 12)
    void whatAGuestDoesComesToTheSameHoweverItsDriverCuts(@ForAll("setups") CutMachine.Setup setup) throws Exception {
        Needs.root();
        List<String> plain = new ArrayList<>();
        List<String> cut = new ArrayList<>();
        Path share = Files.createTempDirectory("cut");
        try (PassthroughFs real = share(share);
                Machine machine = Machine.stepped(
                        asked(real, plain),
                        MachineOptions.DEFAULT
                                .withKernel(LINUX)
                                .withClock(CLOCK)
                                .withQueueSize(1024))) {
            act(machine.kernel(), new Random(setup.seed()), plain);
        } finally {
            delete(share);
        }
        Files.createDirectory(share);
        try (PassthroughFs real = share(share);
                CutMachine machine = new CutMachine(asked(real, cut), setup)) {
            GuestKernel kernel = new LinuxKernel(
                    machine.driver(),
                    LINUX,
                    CLOCK,
                    new DaxMount(null, DaxMode.NEVER, ExtendingWrite.WRITE),
                    Decisions.UNHEARD);
            kernel.mount();
            act(kernel, new Random(setup.seed()), cut);
            kernel.close();
        } finally {
            delete(share);
        }
        assertEquals(plain, cut);
    }

    private static PassthroughFs share(Path share) throws ErrnoException {
        return new PassthroughFs(HostKernel.SYS, share.toString(), PassthroughOptions.DEFAULT);
    }

    /// The same, and what was asked is written down, but for data.
    private static FileSystem asked(FileSystem real, List<String> lines) {
        return request -> {
            if (!(request instanceof SessionRequest)) {
                lines.add(request.header() + " "
                        + HexFormat.of().formatHex(request.encode().args()));
            }
            return real.answer(request);
        };
    }

    private static void act(GuestKernel kernel, Random random, List<String> lines) throws ErrnoException {
        GuestProcess program = new GuestProcess(kernel, Task.root(2));
        for (int step = 0; step < 40; step++) {
            RandomDeeds.act(program, random);
            RandomDeeds.write(program, random);
        }
        RandomDeeds.NAMES.forEach(name -> lines.add(RandomDeeds.seen(program, name)));
        program.exit();
    }

    private static void delete(Path share) throws IOException {
        try (Stream<Path> paths = Files.walk(share)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    private static void begin(FuseSession session, FuseRequest before) {
        boolean extended = before instanceof XattrRequest.Setxattr(var _, var in, var _, var _) && in.extended();
        int extensions = extended ? (int) InitFlag.SETXATTR_EXT.bit() : 0;
        var init = new SessionRequest.Init(InHeader.of(2, 0, 0, 0, 0), new InitIn(7, 38, extensions, -1, -1));
        session.serve(new DescriptorChain(0, init.encode().all(), Buffers.ofBytes(new byte[ROOM]), 2));
    }

    /// Remembers what it was asked, and answers with bytes that the request decides.
    private static final class Answering implements FileSystem {

        private final List<FuseRequest> asked = new ArrayList<>();

        @Override
        public Reply answer(FuseRequest request) {
            asked.add(AnyRequest.withoutInto(request));
            if (request instanceof SessionRequest.Init init) {
                return agree(init.in().maxReadahead());
            }
            Random random = new Random(request.unique());
            Buffers into = AnyRequest.into(request);
            byte[] bytes = new byte[into.size() == 0 ? random.nextInt(200) : (int) into.size()];
            random.nextBytes(bytes);
            if (into.size() == 0) {
                return new Reply.Bytes(Buffers.ofBytes(bytes));
            }
            into.copyFrom(bytes, 0);
            return new Reply.Filled(bytes.length);
        }
    }

    private static Reply agree(int extended) {
        long flags = extended | InitFlag.SECURITY_CTX.bit();
        return new Reply.Struct(new InitOut(7, 45, 0, (int) flags, 0, 0, 4096, 1, 0, 0, (int) (flags >>> 32), 0, 0));
    }
}
