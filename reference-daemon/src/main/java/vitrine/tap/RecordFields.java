package vitrine.tap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.InHeader;
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
            case Reply.Structs(List<? extends WireStruct> values) when areAlike(values) -> {
                fields.add(new Field("entries", String.valueOf(values.size())));
                fields.add(new Field("names", names(values)));
            }
            case Reply.Structs(List<? extends WireStruct> values) ->
                values.forEach(value -> add((Record) value, fields));
            case Reply.Bytes(var data) -> fields.add(new Field("data", data.toString()));
            case Reply.Filled _, Reply.Empty _, Reply.Error _, Reply.None _ -> {}
        }
        return fields;
    }

    /// The fields of one record in a line, such as `index 1, size 1024`.
    static String line(Record record) {
        List<Field> fields = new ArrayList<>();
        add(record, fields);
        return fields.stream()
                .map(field -> field.name() + " " + field.value())
                .collect(Collectors.joining(", "));
    }

    private static void add(Record record, List<Field> to) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        List<String> said = said(record.toString(), components);
        for (int i = 0; i < components.length; i++) {
            Object value = value(record, components[i]);
            String name = cName(components[i].getName());
            switch (value) {
                case InHeader _ -> {}
                case Record inner -> add(inner, to);
                case Name text -> to.add(new Field(name, quoted(text)));
                case List<?> list -> to.add(new Field(name, list(list)));
                case Number _ when said != null -> to.add(new Field(name, said.get(i)));
                case Integer number -> to.add(new Field(name, Integer.toUnsignedString(number)));
                case Long number -> to.add(new Field(name, Long.toUnsignedString(number)));
                default -> to.add(new Field(name, String.valueOf(value)));
            }
        }
    }

    /// The values as the record's own `toString` has them: structs know which of their words hold
    /// flags, and name them. Null if the text has another form.
    private static List<String> said(String text, RecordComponent[] components) {
        List<String> values = new ArrayList<>();
        int at = text.indexOf('[');
        for (int i = 0; i < components.length; i++) {
            String start = (i == 0 ? "[" : ", ") + components[i].getName() + "=";
            if (at < 0 || !text.startsWith(start, at)) {
                return null;
            }
            int end = i + 1 < components.length
                    ? text.indexOf(", " + components[i + 1].getName() + "=", at + start.length())
                    : text.length() - 1;
            if (end < 0) {
                return null;
            }
            values.add(text.substring(at + start.length(), end));
            at = end;
        }
        return values;
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
