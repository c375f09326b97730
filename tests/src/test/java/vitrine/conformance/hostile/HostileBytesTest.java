package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import vitrine.conformance.rules.Needs;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.guest.hostile.LyingDriver;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Fcntl;
import vitrine.virtqueue.Descriptor;

/// A guest that writes anything at all. Nothing of it may be worse than an errno.
///
/// Bounded in time, a few seconds each; `-Dvitrine.hostile.seconds=600` lets each go on for ten
/// minutes. The seed is in the report of a failure. A mistake of the daemon is seen because
/// `-Dvitrine.rethrow=true` makes an exception of what is an EIO otherwise.
class HostileBytesTest {

    private static final long SECONDS = Long.getLong("vitrine.hostile.seconds", 5);
    private static final int HEADER = 40;

    private Path temporary;
    private Attack attack;
    private long file;
    private long fh;

    @BeforeProperty
    void begin() throws Exception {
        Needs.root();
        temporary = Files.createTempDirectory("vitrine-bytes-");
        attack = new Attack(Victim.Kind.STEPPED, temporary);
    }

    @AfterProperty
    void end() throws Exception {
        if (attack != null) {
            attack.close();
            SharedDaemon.empty(temporary);
            Files.delete(temporary);
        }
    }

    /// Bytes that come from nowhere. The header's length is right in half of them, or few would get
    /// past it; and so is the opcode.
    ///
    /// Caught: `BY_NUMBER` asked for a negative number; extensions read without their bounds.
    @Property(tries = 1, shrinking = ShrinkingMode.OFF)
    void randomBytesAreAnsweredOrReturned(@ForAll Random random) throws Exception {
        while (attackGoesOn()) {
            byte[] bytes = new byte[random.nextInt(random.nextInt(4) == 0 ? 60_000 : 200)];
            random.nextBytes(bytes);
            if (bytes.length >= HEADER && random.nextInt(8) > 0) {
                ByteBuffer header = little(bytes).putInt(0, bytes.length).putShort(36, (short) random.nextInt(3));
                header.putInt(4, random.nextInt(56)).putLong(16, random.nextInt(4));
            }
            verifyAnswered(tamed(bytes), random.nextInt(5000));
        }
        attack.init();
        attack.verifyNothingIsHarmed();
    }

    /// Requests of every kind, about files that there are, with a few bits turned, cut, or put
    /// together from two.
    ///
    /// Caught: `WireReader.name` that does not stop at the end; `requireOffset` empty;
    /// `InodeTable.forget` that forgets the root.
    @Property(tries = 1, shrinking = ShrinkingMode.OFF)
    void nearlyRightRequestsAreAnsweredOrReturned(@ForAll Random random) throws Exception {
        takeFile();
        while (attackGoesOn()) {
            byte[] bytes = likely(random);
            switch (random.nextInt(5)) {
                case 0 -> turnBits(bytes, random);
                case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 20));
                case 2 -> bytes = splice(bytes, likely(random), random);
                case 3 -> {
                    turnBits(bytes, random);
                    little(bytes).putInt(0, bytes.length);
                }
                default -> {} // as it is: the state in which the next one finds the daemon
            }
            verifyAnswered(tamed(bytes), random.nextInt(10) == 0 ? random.nextInt(200) : 5000);
            if (random.nextInt(50) == 0) {
                attack.init();
                takeFile();
            }
        }
        attack.init();
        attack.verifyNothingIsHarmed();
    }

    /// Descriptor tables that come from nowhere, with a request in the memory that they may lead to.
    ///
    /// Caught: `index >= entries` not asked in `ChainWalk`; `BrokenChainException` without its head.
    @Property(tries = 1, shrinking = ShrinkingMode.OFF)
    void randomDescriptorsAreReturned(@ForAll Random random) throws Exception {
        while (attackGoesOn()) {
            LyingDriver driver = attack.driver();
            driver.place(Attack.bytes(attack.getattr()));
            driver.placeTable(descriptors(random, 16));

            Returned returned = driver.send(descriptors(random, 8)).orElseThrow();

            assertEquals(0, returned.head());
            attack.verifyNothingIsHarmed();
        }
    }

    private long deadline;

    /// Time is left.
    private boolean attackGoesOn() {
        long now = System.nanoTime();
        if (deadline == 0) {
            deadline = now + SECONDS * 1_000_000_000;
        }
        return now < deadline;
    }

    private void takeFile() throws Exception {
        Files.write(attack.share.resolve("file"), new byte[100]); // whatever became of the last one
        file = attack.lookup(Attack.ROOT, "file");
        fh = attack.open(file, Fcntl.O_RDWR);
    }

    private void verifyAnswered(byte[] bytes, int room) {
        Returned returned = attack.ask(bytes, room);
        String what = Arrays.toString(Arrays.copyOf(bytes, Math.min(bytes.length, 200))) + ": " + returned;
        assertTrue(returned.written() <= room, what);
        if (!returned.isEmpty()) {
            assertEquals(little(bytes).getLong(8), returned.header().unique(), what);
            assertTrue(returned.errno() >= 0 && returned.errno() < 512, what);
        }
    }

    /// A request of any kind, most often about the file that is open.
    private byte[] likely(Random random) {
        FuseRequest request = AnyRequest.of(random);
        byte[] bytes = Attack.bytes(request);
        ByteBuffer words = little(bytes);
        if (random.nextInt(10) > 0) {
            words.putLong(16, random.nextBoolean() ? file : Attack.ROOT);
            words.putInt(24, 0).putInt(28, 0); // root: permissions are not the subject
        }
        if (bytes.length >= HEADER + 8 && random.nextBoolean()) {
            words.putLong(HEADER, fh);
        }
        return bytes;
    }

    private static void turnBits(byte[] bytes, Random random) {
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private static byte[] splice(byte[] one, byte[] other, Random random) {
        int cut = random.nextInt(one.length);
        int from = random.nextInt(other.length);
        byte[] spliced = Arrays.copyOf(one, cut + other.length - from);
        System.arraycopy(other, from, spliced, cut, other.length - from);
        if (spliced.length >= 4) {
            little(spliced).putInt(0, spliced.length);
        }
        return spliced;
    }

    /// Takes the upper half off the numbers by which a guest may fill the disk of the machine that the
    /// tests run on.
    private static byte[] tamed(byte[] bytes) {
        Opcode opcode = bytes.length < HEADER ? null : Opcode.of(little(bytes).getInt(4));
        if (opcode == Opcode.FALLOCATE || opcode == Opcode.COPY_FILE_RANGE || opcode == Opcode.COPY_FILE_RANGE_64) {
            for (int at = HEADER + 8; at + 8 <= bytes.length; at += 8) {
                little(bytes).putLong(at, little(bytes).getLong(at) & 0xf_ffffL);
            }
        }
        return bytes;
    }

    private List<Descriptor> descriptors(Random random, int count) {
        LyingDriver driver = attack.driver();
        List<Descriptor> descriptors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long address = switch (random.nextInt(8)) {
                case 0, 1 -> driver.request();
                case 2, 3 -> driver.reply();
                case 4 -> driver.table() + 16 * random.nextInt(4);
                case 5 -> Victim.SEAM - 20;
                case 6 -> random.nextLong(Victim.RAM_END + 100);
                default -> random.nextLong();
            };
            // A reply that was written over a ring would be a lie of another kind.
            boolean writable = address == driver.reply() || address >= Victim.RAM_END;
            int length = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(6) * 16;
            int flags = random.nextInt(2) * Descriptor.NEXT
                    | (writable && random.nextBoolean() ? Descriptor.WRITE : 0)
                    | random.nextInt(6) / 5 * Descriptor.INDIRECT;
            int next = random.nextInt(10) == 0 ? random.nextInt(0x10000) : random.nextInt(count);
            descriptors.add(new Descriptor(address, Integer.toUnsignedLong(length), flags, next));
        }
        return descriptors;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
