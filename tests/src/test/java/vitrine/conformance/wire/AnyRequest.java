package vitrine.conformance.wire;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import vitrine.fuse.Dialect;
import vitrine.fuse.Extensions;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.SecurityContext;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.InHeader;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Requests made at random, of every record that there is.
public final class AnyRequest {

    /// Every request's record, found through the sealed interfaces.
    public static final List<Class<? extends FuseRequest>> RECORDS = Stream.of(
                    FuseRequest.class.getPermittedSubclasses())
            .flatMap(family -> Stream.of(family.getPermittedSubclasses()))
            .<Class<? extends FuseRequest>>map(record -> record.asSubclass(FuseRequest.class))
            .toList();

    private static final Set<String> SIZES = Set.of("size", "inSize"); // of the data that follows the struct

    private AnyRequest() {}

    /// A request of any record.
    public static FuseRequest of(Random random) {
        return of(RECORDS.get(random.nextInt(RECORDS.size())), random);
    }

    /// A request of this record.
    public static <T extends FuseRequest> T of(Class<T> record, Random random) {
        int dataSize = random.nextInt(100);
        boolean announcesData = Stream.of(record.getRecordComponents()).anyMatch(AnyRequest::isData);
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : record.getRecordComponents()) {
            Class<?> type = component.getType();
            if (type == InHeader.class) {
                values.add(header(record, random));
            } else if (type == Buffers.class) {
                values.add(isData(component) ? anyBytes(random, dataSize) : Buffers.EMPTY);
            } else if (type == Name.class) {
                values.add(Structs.anyName(random));
            } else if (type == Extensions.class) {
                values.add(anyExtensions(random));
            } else if (type == List.class) {
                values.add(anyList(component, random));
            } else {
                String size = announcesData ? sizeOf(type) : "";
                values.add(Structs.with(type, random, size, dataSize));
            }
        }
        return Structs.construct(record, values);
    }

    /// The dialect in which the request can be said.
    static Dialect dialectOf(FuseRequest request) {
        return new Dialect(
                Dialect.NEWEST_MINOR,
                request instanceof XattrRequest.Setxattr setxattr
                        && setxattr.in().extended(),
                true);
    }

    /// The same request as its guest made it: without a place for the answer.
    public static FuseRequest withoutInto(FuseRequest request) {
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : request.getClass().getRecordComponents()) {
            values.add(component.getName().equals("into") ? Buffers.EMPTY : Structs.component(request, component));
        }
        return Structs.construct(request.getClass(), values);
    }

    /// Where the request's answer goes; empty if its guest did not say.
    public static Buffers into(FuseRequest request) {
        return Stream.of(request.getClass().getRecordComponents())
                .filter(component -> component.getName().equals("into"))
                .map(component -> (Buffers) Structs.component(request, component))
                .findAny()
                .orElse(Buffers.EMPTY);
    }

    /// The bytes cut into parts at random, in memory at random places.
    static Buffers cut(byte[] bytes, Random random) {
        List<MemorySegment> parts = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int length = Math.min(bytes.length - at, random.nextInt(1, random.nextBoolean() ? 4 : 200));
            byte[] place = new byte[length + random.nextInt(8)];
            int start = place.length - length;
            System.arraycopy(bytes, at, place, start, length);
            parts.add(MemorySegment.ofArray(place).asSlice(start));
            at += length;
        }
        return Buffers.of(parts);
    }

    private static InHeader header(Class<?> record, Random random) {
        InHeader any = Structs.any(InHeader.class, random);
        // An opcode that nobody knows; all others set their own.
        return record == SessionRequest.Unknown.class ? any.framing(random.nextInt(1000, 2000), 0, 0) : any;
    }

    private static boolean isData(RecordComponent component) {
        return component.getType() == Buffers.class && !component.getName().equals("into");
    }

    private static String sizeOf(Class<?> struct) {
        return Stream.of(struct.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(SIZES::contains)
                .findAny()
                .orElse("");
    }

    private static Buffers anyBytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return Buffers.ofBytes(bytes);
    }

    private static Extensions anyExtensions(Random random) {
        List<Integer> groups = random.ints(random.nextInt(3)).boxed().toList();
        List<SecurityContext> contexts = random.ints(random.nextInt(3))
                .mapToObj(_ -> new SecurityContext(Structs.anyName(random), anyBytes(random, random.nextInt(30))))
                .toList();
        return new Extensions(groups, contexts);
    }

    private static List<?> anyList(RecordComponent component, Random random) {
        Class<?> element = (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
        return random.ints(random.nextInt(5))
                .mapToObj(_ -> Structs.any(element, random))
                .toList();
    }
}
