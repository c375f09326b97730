package vitrine.visualizer.anatomy;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.struct.BatchForgetIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.RemoveMappingIn;
import vitrine.guest.wireshark.ReplyStructs;
import vitrine.wire.Name;
import vitrine.wire.WireStruct;

/// Takes the bytes of a message apart, as far as there are any: what was captured may have been
/// cut.
///
/// What a request consists of is what its record in `vitrine.fuse` consists of, in that order.
public final class Anatomy {

    private static final Map<String, Class<?>> RECORDS = records();

    private final byte[] bytes;
    private final List<Member> members = new ArrayList<>();
    private int at;

    private Anatomy(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The members of a request, its header first.
    ///
    /// @param opcode its name; of an unknown one only the header is taken apart
    public static List<Member> ofRequest(String opcode, byte[] bytes) {
        Anatomy anatomy = new Anatomy(bytes);
        anatomy.struct(InHeader.LAYOUT);
        Class<?> record = RECORDS.get(squeezed(opcode));
        if (record != null) {
            anatomy.arguments(opcode, record);
        }
        anatomy.rest("data");
        return anatomy.members;
    }

    /// The members of what follows the header of a reply.
    public static List<Member> ofReply(String opcode, byte[] bytes) {
        Anatomy anatomy = new Anatomy(bytes);
        Arrays.stream(Opcode.values())
                .filter(known -> known.name().equals(opcode))
                .flatMap(known -> ReplyStructs.of(known).stream())
                .forEach(anatomy::struct);
        anatomy.rest("data");
        return anatomy.members;
    }

    /// The struct that follows the header of a request, such as `fuse_write_in`; empty if there is
    /// none.
    public static String argument(String opcode) {
        Class<?> record = RECORDS.get(squeezed(opcode));
        return record == null
                ? ""
                : Arrays.stream(record.getRecordComponents())
                        .map(RecordComponent::getType)
                        .filter(type -> WireStruct.class.isAssignableFrom(type) && type != InHeader.class)
                        .map(type -> layout(type).name().orElse(""))
                        .findFirst()
                        .orElse("");
    }

    /// The struct that a reply consists of, such as `fuse_write_out`; empty if there is none.
    public static String answer(String opcode) {
        return Arrays.stream(Opcode.values())
                .filter(known -> known.name().equals(opcode))
                .flatMap(known -> ReplyStructs.of(known).stream())
                .map(layout -> layout.name().orElse(""))
                .findFirst()
                .orElse("");
    }

    /// The names of all fields of all requests and replies.
    public static SortedSet<String> fieldNames() {
        SortedSet<String> names = new TreeSet<>();
        for (Class<?> record : RECORDS.values()) {
            for (RecordComponent component : record.getRecordComponents()) {
                if (WireStruct.class.isAssignableFrom(component.getType())) {
                    addNames(layout(component.getType()), names);
                } else if (component.getType() == Name.class) {
                    names.add(snake(component.getName()));
                }
            }
        }
        Arrays.stream(Opcode.values())
                .flatMap(opcode -> ReplyStructs.of(opcode).stream())
                .forEach(layout -> addNames(layout, names));
        return names;
    }

    private static void addNames(StructLayout layout, SortedSet<String> names) {
        for (MemoryLayout member : layout.memberLayouts()) {
            if (member instanceof StructLayout inner) {
                addNames(inner, names);
            } else {
                names.add(member.name().orElse(""));
            }
        }
    }

    private void arguments(String opcode, Class<?> record) {
        switch (opcode) { // these say first how many elements the list has
            case "BATCH_FORGET" -> struct(BatchForgetIn.LAYOUT);
            case "REMOVEMAPPING" -> struct(RemoveMappingIn.LAYOUT);
            default -> {}
        }
        for (RecordComponent component : record.getRecordComponents()) {
            Class<?> type = component.getType();
            if (type == Name.class) {
                name(snake(component.getName()));
            } else if (type == List.class) {
                StructLayout element = layout(elementOf(component));
                while (bytes.length - at >= element.byteSize()) {
                    struct(element);
                }
            } else if (WireStruct.class.isAssignableFrom(type) && type != InHeader.class) {
                struct(layout(type));
            }
        }
    }

    private static Class<?> elementOf(RecordComponent list) {
        return (Class<?>) ((ParameterizedType) list.getGenericType()).getActualTypeArguments()[0];
    }

    private void struct(StructLayout layout) {
        struct(layout, layout.name().orElse("?"), "");
    }

    private void struct(StructLayout layout, String name, String prefix) {
        for (MemoryLayout member : layout.memberLayouts()) {
            String field = prefix + member.name().orElse("?");
            if (member instanceof StructLayout inner) {
                struct(inner, name, field + ".");
            } else {
                take(name, field, (int) member.byteSize());
            }
        }
    }

    /// A name ends with a zero byte, which belongs to it.
    private void name(String field) {
        int end = at;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        take("", field, end + 1 - at);
    }

    private void rest(String field) {
        take("", field, bytes.length - at);
    }

    private void take(String struct, String field, int length) {
        int end = Math.min(bytes.length, at + length);
        if (end > at) {
            members.add(new Member(struct, field, at, Arrays.copyOfRange(bytes, at, end)));
            at = end;
        }
    }

    private static Map<String, Class<?>> records() {
        Map<String, Class<?>> records = new HashMap<>();
        for (Class<?> family : FuseRequest.class.getPermittedSubclasses()) {
            for (Class<?> record : family.getPermittedSubclasses()) {
                records.put(squeezed(record.getSimpleName()), record);
            }
        }
        return records;
    }

    /// `CopyFileRange` and `COPY_FILE_RANGE` are the same.
    private static String squeezed(String name) {
        return name.replace("_", "").toUpperCase(Locale.ROOT);
    }

    private static StructLayout layout(Class<?> struct) {
        try {
            return (StructLayout)
                    struct.asSubclass(WireStruct.class).getField("LAYOUT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(struct + " has no LAYOUT", e);
        }
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
