package vitrine.conformance.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import vitrine.fuse.Dialect;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.SecurityContext;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// A request is one value at both ends, and bytes that are none do no harm.
class RequestPropertiesTest {

    private static final int OUT_HEADER_SIZE = 16;

    @Provide
    Arbitrary<FuseRequest> requests() {
        return Arbitraries.randomValue(AnyRequest::of);
    }

    /// (virtio 1.3, 2.7.4): the device makes no assumptions about how the driver cuts its buffers.
    ///
    /// Seen to catch: `WireReader.u32` loading across the end of a part; `oldName` and `newName`
    /// swapped in `Rename.decode`; the padding of a security context not passed over.
    @Property(tries = 2000)
    void whatAGuestEncodesTheDaemonDecodesHoweverItIsCut(@ForAll("requests") FuseRequest request, @ForAll long seed)
            throws MalformedException {
        byte[] bytes = request.encode().all().toBytes();

        Buffers readable = AnyRequest.cut(bytes, new Random(seed));
        FuseRequest decoded = FuseRequest.decode(readable, room(400), AnyRequest.dialectOf(request));

        assertEquals(request, AnyRequest.withoutInto(decoded));
        assertEquals(bytes.length, decoded.header().len());
    }

    /// Whether the header still announces what is missing, or knows of it.
    ///
    /// Seen to catch: `data` taken without comparing its size with what is announced (WRITE decoded
    /// from less than its data).
    @Property(tries = 2000)
    void aTruncatedRequestIsRefused(
            @ForAll("requests") FuseRequest request, @ForAll boolean headerKnows, @ForAll long seed) {
        Assume.that(!(request instanceof SessionRequest.Unknown || request instanceof SessionRequest.Init));
        byte[] bytes = request.encode().all().toBytes();
        byte[] truncated = Arrays.copyOf(bytes, new Random(seed).nextInt(bytes.length));
        if (headerKnows && truncated.length >= Integer.BYTES) {
            new WireWriter(Buffers.ofBytes(truncated)).u32(truncated.length);
        }
        Dialect dialect = AnyRequest.dialectOf(request);

        assertThrows(
                MalformedException.class, () -> FuseRequest.decode(Buffers.ofBytes(truncated), room(400), dialect));
    }

    /// Nothing that a guest sends may end in anything but a request or a refusal.
    ///
    /// Seen to catch: the count of REMOVEMAPPING trusted (IllegalArgumentException for a list of a
    /// negative size); a case left out of the decoder's table.
    @Property(tries = 5000)
    void bytesChangedAtRandomAreARequestOrAreRefused(
            @ForAll("requests") FuseRequest request, @ForAll long seed, @ForAll @IntRange(max = 40) int writable) {
        Random random = new Random(seed);
        byte[] bytes = request.encode().all().toBytes();
        changeSome(bytes, random);
        Dialect dialect = new Dialect(random.nextInt(27, 46), random.nextBoolean(), random.nextBoolean());

        try {
            FuseRequest decoded = FuseRequest.decode(AnyRequest.cut(bytes, random), room(writable), dialect);
            decoded.encode(); // what was taken for a request can be said again
            decoded.toString();
        } catch (MalformedException refused) {
            assertEquals(0, refused.getStackTrace().length);
        } catch (RuntimeException | Error e) {
            fail("a guest made us throw", e);
        }
    }

    private static void changeSome(byte[] bytes, Random random) {
        int changes = random.nextInt(1, 5);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
    }

    /// The guest decides how much it wants and how much room it leaves; the smaller counts.
    ///
    /// Seen to catch: `into` taken from the start of the writable side; the whole room taken
    /// whatever `size` says.
    @Property(tries = 1000)
    void dataGoesBehindTheReplysHeaderAndNoFurtherThanAskedFor(
            @ForAll @IntRange(max = 5000) int size, @ForAll @IntRange(max = 5000) int room, @ForAll long seed)
            throws MalformedException {
        ReadIn in = Structs.with(ReadIn.class, new Random(seed), "size", size);
        FuseRequest request = new FileRequest.Read(InHeader.of(2, 1, 0, 0, 0), in);
        byte[] writable = new byte[OUT_HEADER_SIZE + room];
        Arrays.fill(writable, OUT_HEADER_SIZE, writable.length, (byte) 1);

        FileRequest.Read read = (FileRequest.Read) FuseRequest.decode(
                request.encode().all(),
                AnyRequest.cut(writable, new Random(seed)),
                new Dialect(Dialect.NEWEST_MINOR, true, true));

        byte[] expected = new byte[Math.min(size, room)];
        Arrays.fill(expected, (byte) 1);
        assertEquals(Buffers.ofBytes(expected), read.into());
    }

    /// Seen to catch: a case left out of the decoder's table.
    @Example
    void everyOpcodeHasARecord() throws MalformedException {
        Random random = new Random(7);

        Set<Opcode> decoded = EnumSet.noneOf(Opcode.class);
        for (Class<? extends FuseRequest> record : AnyRequest.RECORDS) {
            FuseRequest request = AnyRequest.of(record, random);
            Opcode opcode = FuseRequest.decode(request.encode().all(), room(400), AnyRequest.dialectOf(request))
                    .opcode();
            if (opcode != null) {
                decoded.add(opcode);
                assertEquals(opcode.family().name() + "REQUEST", familyOf(record));
            }
        }

        assertEquals(EnumSet.allOf(Opcode.class), decoded);
    }

    private static String familyOf(Class<?> record) {
        return record.getEnclosingClass().getSimpleName().toUpperCase(Locale.ROOT);
    }

    /// (fuse.h: FUSE_INIT_EXT): before 7.36 `fuse_init_in` had 16 bytes; a later one may have more
    /// than 64.
    ///
    /// Seen to catch: `decodeCompat` not asked for.
    @Example
    void initIsUnderstoodInAnyLength() throws MalformedException {
        InitIn in = new InitIn(7, 31, 131072, 0x7ff, 0);
        FuseRequest request = new SessionRequest.Init(InHeader.of(2, 0, 0, 0, 0), in);

        for (int size : new int[] {16, 64, 96}) {
            byte[] bytes = Arrays.copyOf(request.encode().all().toBytes(), 40 + size);
            bytes[0] = (byte) bytes.length;
            assertEquals(request, FuseRequest.decode(Buffers.ofBytes(bytes), room(400), Dialect.BEFORE_INIT));
        }
    }

    /// In 7.36 and 7.37 the security context is the last argument, and nothing in the header tells
    /// of it.
    ///
    /// Seen to catch: `hasUncountedContexts` always false.
    @Example
    void securityContextsAreFoundWhereOldKernelsPutThem() throws MalformedException {
        Extensions context = new Extensions(
                List.of(),
                List.of(new SecurityContext(
                        Name.of("security.selinux"), Buffers.ofBytes(new byte[] {'a', ':', 'b', 0}))));
        FuseRequest request =
                new DirectoryRequest.Mkdir(InHeader.of(2, 1, 0, 0, 0), new MkdirIn(0755, 022), Name.of("d"), context);
        byte[] bytes = request.encode().all().toBytes();
        bytes[36] = 0; // total_extlen

        FuseRequest decoded = FuseRequest.decode(Buffers.ofBytes(bytes), room(400), new Dialect(36, true, true));

        assertEquals(request, decoded);
        assertThrows(
                MalformedException.class,
                () -> FuseRequest.decode(Buffers.ofBytes(bytes), room(400), new Dialect(38, true, true)));
    }

    /// The header's `len` says where the request ends, not the buffer that it lies in.
    ///
    /// Seen to catch: `limit` not set (a LOOKUP with bytes behind it refused, a WRITE's data too
    /// long).
    @Property(tries = 500)
    void bytesBehindTheRequestAreNotPartOfIt(@ForAll("requests") FuseRequest request, @ForAll byte[] behind)
            throws MalformedException {
        Buffers readable = request.encode().all().followedBy(Buffers.ofBytes(behind));

        FuseRequest decoded = FuseRequest.decode(readable, room(400), AnyRequest.dialectOf(request));

        assertEquals(request, AnyRequest.withoutInto(decoded));
    }

    private static Buffers room(int bytes) {
        return Buffers.of(MemorySegment.ofArray(new byte[bytes]));
    }
}
