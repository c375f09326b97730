package vitrine.conformance.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import vitrine.conformance.posix.HostKernel;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.SetClock;
import vitrine.guest.kernel.linux.LinuxKernel;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Laws of the guest's kernel that hold for whatever programs do.
class KernelLawsTest {

    private final SetClock clock = new SetClock(1_700_000_000_000_000_000L);

    /// A share, and a guest of it.
    private record Guest(Path share, PassthroughFs fileSystem, CountingServer server, Machine machine)
            implements AutoCloseable {

        GuestProcess program() {
            return machine.rootProgram();
        }

        LinuxKernel kernel() {
            return (LinuxKernel) machine.kernel();
        }

        @Override
        public void close() throws ErrnoException {
            try (fileSystem) {
                machine.close();
            }
        }
    }

    private Guest guest(Path share, CachePolicy policy, KernelProfile profile) throws ErrnoException {
        return guest(share, policy, MachineOptions.DEFAULT.withKernel(profile));
    }

    private Guest guest(Path share, CachePolicy policy, MachineOptions options) throws ErrnoException {
        Needs.root();
        PassthroughFs fileSystem =
                new PassthroughFs(HostKernel.SYS, share.toString(), PassthroughOptions.DEFAULT.withCache(policy));
        CountingServer server = new CountingServer(fileSystem);
        Machine machine = Machine.stepped(server, options.withClock(clock));
        return new Guest(share, fileSystem, server, machine);
    }

    private static void delete(Path share) throws Exception {
        try (Stream<Path> paths = Files.walk(share)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    @Provide
    Arbitrary<CachePolicy> policies() {
        return Arbitraries.of(CachePolicy.class);
    }

    @Provide
    Arbitrary<KernelProfile> profiles() {
        return Arbitraries.of(KernelProfile.ALL);
    }

    /// What replies have counted is what the guest holds, at any time; and when nothing is in use
    /// and the caches are dropped, it holds the root alone (fuse.h: fuse_forget_in).
    ///
    /// Seen to catch: a name that is confirmed and not counted.
    @Property(tries = 40)
    void theGuestHoldsWhatTheServerHasCounted(
            @ForAll Random random, @ForAll("policies") CachePolicy policy, @ForAll("profiles") KernelProfile profile)
            throws Exception {
        Path share = Files.createTempDirectory("laws");
        try (Guest guest = guest(share, policy, profile)) {
            GuestProcess program = guest.program();
            for (int step = 0; step < 60; step++) {
                RandomDeeds.act(program, random);
                if (random.nextInt(8) == 0) {
                    clock.pass(Duration.ofSeconds(random.nextInt(3)));
                }
                assertEquals(guest.server.lookups(), guest.kernel().lookups(), "step " + step);
            }
            program.exit();
            guest.kernel().dropCaches();
            assertEquals(1, guest.kernel().knownFiles());
            assertTrue(guest.server.lookups().isEmpty());
        } finally {
            delete(share);
        }
    }

    /// Without write-back each append is one WRITE, right behind the one before; and each page of a
    /// file is read once.
    ///
    /// Seen to catch: pages dropped after each call.
    @Property(tries = 20)
    void eachWriteIsOneRequestAndEachPageIsReadOnce(@ForAll Random random, @ForAll("profiles") KernelProfile profile)
            throws Exception {
        Path share = Files.createTempDirectory("laws");
        try (Guest guest = guest(share, CachePolicy.ALWAYS, profile)) {
            GuestProcess program = guest.program();
            int fd = program.open("/f", Fcntl.O_CREAT | Fcntl.O_RDWR | Fcntl.O_APPEND, 0644);
            int appends = 1 + random.nextInt(40);
            guest.server.taken();
            long end = 0;
            for (int i = 0; i < appends; i++) {
                int size = 1 + random.nextInt(2000);
                program.write(fd, new byte[size]);
                end += size;
            }
            assertEquals(end, written(guest));

            guest.kernel().dropCaches();
            for (int i = 0; i < 50; i++) {
                program.pread(fd, 1 + random.nextInt(5000), random.nextInt((int) end));
            }
            program.pread(fd, (int) end, 0);
            List<Long> pages = guest.server.taken().stream()
                    .filter(FileRequest.Read.class::isInstance)
                    .map(FileRequest.Read.class::cast)
                    .flatMap(read -> IntStream.range(0, read.in().size() / 4096)
                            .mapToObj(i -> read.in().offset() / 4096 + i))
                    .toList();
            assertEquals(new HashSet<>(pages).size(), pages.size(), "a page was read twice");
            assertEquals((end + 4095) / 4096, pages.size());
        } finally {
            delete(share);
        }
    }

    private static long written(Guest guest) {
        long end = 0;
        for (var request : guest.server.taken()) {
            if (request instanceof FileRequest.Write(var _, var in, var _)) {
                assertEquals(end, in.offset());
                end += in.size();
            }
        }
        return end;
    }

    /// What kind of ring there is changes nothing above it: the same requests, by the same numbers,
    /// and the same file in the end (virtio 1.3, 2.7 and 2.8).
    ///
    /// Seen to catch: fewer pages in a request where the ring is packed.
    @Property(tries = 12)
    void aPackedRingCarriesWhatASplitOneCarries(@ForAll long seed) throws Exception {
        List<List<String>> runs = new ArrayList<>();
        for (boolean packed : new boolean[] {false, true}) {
            Path share = Files.createTempDirectory("laws");
            Random random = new Random(seed);
            try (Guest guest = guest(
                    share,
                    CachePolicy.AUTO,
                    MachineOptions.DEFAULT.withKernel(KernelProfile.LINUX_6_12).withPacked(packed))) {
                GuestProcess program = guest.program();
                for (int step = 0; step < 60; step++) {
                    RandomDeeds.act(program, random);
                    RandomDeeds.write(program, random);
                }
                List<String> run = new ArrayList<>();
                RandomDeeds.NAMES.forEach(name -> run.add(RandomDeeds.seen(program, name)));
                guest.server.taken().forEach(request -> run.add(request.header() + " " + words(request)));
                runs.add(run);
            } finally {
                delete(share);
            }
        }
        assertEquals(runs.getFirst(), runs.getLast());
    }

    /// The arguments; not the data, which lies in memory that was used again since.
    private static String words(FuseRequest request) {
        return HexFormat.of().formatHex(request.encode().args());
    }

    /// Whoever removes names meanwhile, a listing has each of the others once, in whatever pieces
    /// it comes and whether names or attributes are asked for.
    ///
    /// Seen to catch: a position that moves on by one entry only.
    @Property(tries = 15)
    void aListingHasEachNameOnceWhateverIsRemovedMeanwhile(
            @ForAll Random random, @ForAll("policies") CachePolicy policy) throws Exception {
        Path share = Files.createTempDirectory("laws");
        Habit habit = Habit.READDIR_OF_BUFFER;
        KernelProfile profile =
                random.nextBoolean() ? KernelProfile.LINUX_6_18 : KernelProfile.LINUX_6_18.without(habit);
        try (Guest guest = guest(share, policy, profile)) {
            Set<String> stay = new HashSet<>();
            for (int i = 0; i < 300; i++) {
                String name = "n".repeat(1 + random.nextInt(60)) + i;
                Files.createFile(share.resolve(name));
                stay.add(name);
            }
            GuestProcess program = guest.program();
            int fd = program.open("/", Fcntl.O_RDONLY | Fcntl.O_DIRECTORY);
            List<String> listed = new ArrayList<>();
            while (true) {
                List<DirectoryEntry> piece = program.getdents(fd);
                if (piece.isEmpty()) {
                    break;
                }
                piece.forEach(entry -> listed.add(entry.name()));
                String gone = stay.stream()
                        .skip(random.nextInt(stay.size()))
                        .findFirst()
                        .orElseThrow();
                Files.delete(share.resolve(gone));
                stay.remove(gone);
                if (random.nextBoolean()) {
                    program.stat("/" + stay.iterator().next());
                }
            }
            assertEquals(listed.size(), new HashSet<>(listed).size(), "a name came twice");
            assertTrue(listed.containsAll(stay), "a name is missing");
        } finally {
            delete(share);
        }
    }

    /// A guest that remembers sees, when its time is over, what one sees that remembers nothing.
    ///
    /// Seen to catch: timeouts that never end.
    @Property(tries = 25)
    void whoRemembersAgreesWithWhoDoesNotWhenTimeIsOver(@ForAll Random random) throws Exception {
        Path share = Files.createTempDirectory("laws");
        KernelProfile forgetful = KernelProfile.LINUX_6_12.with(Habit.NO_MEMORY);
        try (Guest one = guest(share, CachePolicy.AUTO, KernelProfile.LINUX_6_12);
                Guest other = guest(share, CachePolicy.AUTO, forgetful)) {
            GuestProcess remembering = one.program();
            GuestProcess asking = other.program();
            for (int step = 0; step < 60; step++) {
                RandomDeeds.act(random.nextBoolean() ? remembering : asking, random);
                RandomDeeds.write(random.nextBoolean() ? remembering : asking, random);
                if (step % 6 != 5) {
                    clock.pass(Duration.ofMillis(random.nextInt(1500)));
                    continue; // they may disagree
                }
                clock.pass(Duration.ofSeconds(2));
                for (String name : RandomDeeds.NAMES) {
                    assertEquals(
                            RandomDeeds.seen(asking, name),
                            RandomDeeds.seen(remembering, name),
                            name + " at step " + step);
                }
            }
        } finally {
            delete(share);
        }
    }
}
