package vitrine.guest.wireshark;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import vitrine.fuse.Extensions;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Opcode;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.BatchForgetIn;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.RemoveMappingIn;
import vitrine.fuse.struct.Statx;
import vitrine.fuse.struct.SxTime;
import vitrine.posix.Errno;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireStruct;

/// The FUSE protocol as tables for the dissector: opcodes, what each request and reply consists of,
/// and where each field of a struct lies.
final class ProtocolTables {

    private static final int LAST_ERRNO = 133;

    /// What a nested member is: the layout forgets the name of its struct.
    private static final List<StructLayout> NESTED =
            List.of(Attr.LAYOUT, FileLock.LAYOUT, Kstatfs.LAYOUT, Statx.LAYOUT, SxTime.LAYOUT);

    private final Map<String, StructLayout> structs = new LinkedHashMap<>();
    private final LuaTable requests = new LuaTable();
    private final LuaTable replies = new LuaTable();

    ProtocolTables() {
        Map<String, Class<?>> records = requestRecords();
        note(InHeader.LAYOUT);
        for (Opcode opcode : Opcode.values()) {
            requests.put(opcode.number(), request(opcode, records.get(opcode.name())));
            LuaTable structsOfReply = new LuaTable();
            ReplyStructs.of(opcode).forEach(layout -> structsOfReply.add(note(layout)));
            replies.put(opcode.number(), structsOfReply);
        }
    }

    /// All tables, each `local`.
    String text() {
        LuaTable opcodes = new LuaTable();
        Arrays.stream(Opcode.values()).forEach(opcode -> opcodes.put(opcode.number(), opcode.name()));
        LuaTable sentences = new LuaTable();
        Arrays.stream(Opcode.values()).forEach(opcode -> sentences.put(opcode.number(), opcode.sentence()));
        LuaTable errnos = new LuaTable().put(0, "success");
        for (int errno = 1; errno <= LAST_ERRNO; errno++) {
            errnos.put(errno, Errno.name(errno));
        }
        LuaTable all = new LuaTable();
        structs.forEach((name, layout) -> all.put(name, struct(name, layout)));
        return opcodes.as("OPCODES")
                + sentences.as("SENTENCES")
                + errnos.as("ERRNOS")
                + requests.as("REQUESTS")
                + replies.as("REPLIES")
                + all.as("STRUCTS");
    }

    /// Every record of a request, by the name of its opcode.
    private static Map<String, Class<?>> requestRecords() {
        return Arrays.stream(FuseRequest.class.getPermittedSubclasses())
                .flatMap(family -> Arrays.stream(family.getPermittedSubclasses()))
                .collect(Collectors.toMap(ProtocolTables::opcodeName, Function.identity()));
    }

    /// `SetupMapping` is `SETUPMAPPING`, but `CopyFileRange64` is `COPY_FILE_RANGE_64`.
    private static String opcodeName(Class<?> record) {
        String words =
                record.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z0-9])", "_").toUpperCase(Locale.ROOT);
        return Stream.of(Opcode.values())
                .map(Opcode::name)
                .filter(name -> name.replace("_", "").equals(words.replace("_", "")))
                .findFirst()
                .orElse(words);
    }

    /// The pieces after the header: a struct, a name, a list of structs up to the end, or bytes.
    private LuaTable request(Opcode opcode, Class<?> record) {
        LuaTable pieces = new LuaTable();
        switch (opcode) { // these say first how many elements the list has
            case BATCH_FORGET -> pieces.add(piece("struct", note(BatchForgetIn.LAYOUT)));
            case REMOVEMAPPING -> pieces.add(piece("struct", note(RemoveMappingIn.LAYOUT)));
            default -> {}
        }
        for (RecordComponent component : record.getRecordComponents()) {
            Class<?> type = component.getType();
            if (type == InHeader.class || component.getName().equals("into")) {
                continue; // the header is read already; where data goes to is not in the request
            } else if (type == Name.class) {
                pieces.add(piece("name", snake(component.getName())));
            } else if (type == Extensions.class) {
                pieces.add(piece("bytes", "extensions"));
            } else if (type == Buffers.class) {
                pieces.add(piece("bytes", snake(component.getName())));
            } else if (type == List.class) {
                Class<?> element =
                        (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
                pieces.add(piece("list", note(layout(element))));
            } else {
                pieces.add(piece("struct", note(layout(type))));
            }
        }
        return pieces;
    }

    private static LuaTable piece(String kind, String what) {
        return new LuaTable().add(kind).add(what);
    }

    private static StructLayout layout(Class<?> struct) {
        try {
            return (StructLayout)
                    struct.asSubclass(WireStruct.class).getField("LAYOUT").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(struct + " has no LAYOUT", e);
        }
    }

    /// Remembers a struct, and those in it, for the table of structs.
    private String note(StructLayout layout) {
        String name = layout.name().orElseThrow();
        for (MemoryLayout member : layout.memberLayouts()) {
            if (member instanceof StructLayout inner) {
                note(nested(inner));
            }
        }
        structs.put(name, layout);
        return name;
    }

    private static StructLayout nested(StructLayout member) {
        return NESTED.stream()
                .filter(known -> known.withoutName().equals(member.withoutName()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody has told what " + member + " is"));
    }

    private static LuaTable struct(String name, StructLayout layout) {
        LuaTable fields = new LuaTable();
        for (MemoryLayout member : layout.memberLayouts()) {
            String field = member.name().orElseThrow();
            LuaTable entry = new LuaTable().put("name", field).put("size", member.byteSize());
            switch (member) {
                case StructLayout inner ->
                    entry.put("struct", nested(inner).name().orElseThrow());
                case SequenceLayout _ -> entry.put("bytes", true);
                default -> entry.put("flags", FlagWords.of(name, field));
            }
            fields.add(entry);
        }
        return new LuaTable().put("size", layout.byteSize()).put("fields", fields);
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
