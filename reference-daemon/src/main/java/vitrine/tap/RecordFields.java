package vitrine.tap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.trace.TraceEvent.Field;
import vitrine.wire.Name;
import vitrine.wire.WireStruct;

/// What a record says, as named text, whatever record it is.
///
/// Requests and replies are records of records; looking into them by reflection spares one method
/// for each of over a hundred structs. It costs microseconds, and only where a tap is set.
final class RecordFields {

    private static final int LISTED = 8; // elements of a list that are told by name

    private RecordFields() {}

    /// All arguments of a request; its header has events' fields of its own.
    static List<Field> ofRequest(FuseRequest request) {
        List<Field> fields = new ArrayList<>();
        add((Record) request, fields);
        return fields;
    }

    /// The structs of a reply.
    static List<Field> ofReply(Reply reply) {
        List<Field> fields = new ArrayList<>();
        switch (reply) {
            case Reply.Struct(WireStruct value) -> add((Record) value, fields);
            case Reply.Structs(List<? extends WireStruct> values)
            when areAlike(values) -> {
                fields.add(new Field("entries", String.valueOf(values.size())));
                fields.add(new Field("names", names(values)));
            }
            case Reply.Structs(List<? extends WireStruct> values) ->
                values.forEach(value -> add((Record) value, fields));
            case Reply.Bytes(var data) -> fields.add(new Field("data", data.toString()));
            case Reply.Filled _, Reply.Empty _, Reply.Error _, Reply.None _, Reply.NotYet _ -> {}
        }
        return fields;
    }

    /// The fields of one record in a line, such as `index 1, size 1024`.
    static String line(Record record) {
        List<Field> fields = new ArrayList<>();
        add(record, fields);
        return fields.stream()
                .map(field -> field.value().startsWith(field.name()) ? field.value() : field.name() + " " + hex(field))
                .collect(Collectors.joining(", "));
    }

    /// Large numbers of the control channel are addresses and feature bits.
    private static String hex(Field field) {
        String value = field.value();
        return value.matches("[0-9]{6,20}") ? "0x" + Long.toHexString(Long.parseUnsignedLong(value)) : value;
    }

    private static void add(Record record, List<Field> to) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        if (record instanceof WireStruct && holdsNumbersOnly(components)) {
            to.addAll(said(record));
            return;
        }
        for (RecordComponent component : components) {
            String name = cName(component.getName());
            switch (value(record, component)) {
                case InHeader _ -> {}
                case Record inner -> add(inner, to);
                case Name text -> to.add(new Field(name, quoted(text)));
                case List<?> list -> to.add(new Field(name, list(list)));
                case Optional<?> optional ->
                    to.add(new Field(name, optional.isPresent() ? optional.get().toString() : "none"));
                case Integer number -> to.add(new Field(name, Integer.toUnsignedString(number)));
                case Long number -> to.add(new Field(name, Long.toUnsignedString(number)));
                case Object other -> to.add(new Field(name, other.toString()));
            }
        }
    }

    private static boolean holdsNumbersOnly(RecordComponent[] components) {
        return Arrays.stream(components)
                .allMatch(component -> component.getType().isPrimitive());
    }

    /// The fields as the struct's own `toString` has them: structs know which of their words hold
    /// flags, and name them.
    private static List<Field> said(Record struct) {
        String text = struct.toString();
        List<Field> fields = new ArrayList<>();
        for (String part :
                text.substring(text.indexOf('[') + 1, text.length() - 1).split(", (?=\\w+=)")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                fields.add(new Field(cName(part.substring(0, equals)), part.substring(equals + 1)));
            }
        }
        fields.replaceAll(field -> field.name().equals("flags") ? openFlags(struct, field) : field);
        return fields;
    }

    /// The flags with which the guest opened the file, where these are such.
    private static Field openFlags(Record struct, Field field) {
        return switch (struct) {
            case OpenIn in -> new Field("flags", FlagNames.open(in.flags()));
            case CreateIn in -> new Field("flags", FlagNames.open(in.flags()));
            case ReadIn in -> new Field("flags", FlagNames.open(in.flags()));
            case WriteIn in -> new Field("flags", FlagNames.open(in.flags()));
            case ReleaseIn in -> new Field("flags", FlagNames.open(in.flags()));
            default -> field;
        };
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(record.getClass() + " hides its " + component.getName(), e);
        }
    }

    /// `writeFlags` as C has it: `write_flags`.
    private static String cName(String javaName) {
        return javaName.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static String quoted(Name name) {
        return "\"" + name + "\"";
    }

    private static String list(List<?> list) {
        String text = list.stream().limit(LISTED).map(RecordFields::element).collect(Collectors.joining(", "));
        return "[" + text + (list.size() > LISTED ? ", ..." : "") + "]";
    }

    private static String element(Object element) {
        return element instanceof Record record ? line(record) : String.valueOf(element);
    }

    private static boolean areAlike(List<? extends WireStruct> values) {
        return values.stream().map(Object::getClass).distinct().count() <= 1;
    }

    private static String names(List<? extends WireStruct> entries) {
        List<Field> fields = new ArrayList<>();
        entries.stream().limit(LISTED).forEach(entry -> add((Record) entry, fields));
        String names = fields.stream()
                .filter(field -> field.name().equals("name"))
                .map(Field::value)
                .collect(Collectors.joining(" "));
        return names + (entries.size() > LISTED ? " ..." : "");
    }
}
