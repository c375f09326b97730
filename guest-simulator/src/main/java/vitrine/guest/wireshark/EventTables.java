package vitrine.guest.wireshark;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import vitrine.trace.RawBytes;
import vitrine.trace.Stamp;
import vitrine.trace.TraceEvent;

/// The events of a capture, as tables for the dissector.
///
/// An event's fields in the file are the components of its record, in their order, and its tag is
/// the place of the record among the others (see the package comment of `vitrine.trace`).
final class EventTables {

    private EventTables() {}

    /// By tag: how the event is called in a display filter, and its fields after the stamp.
    static LuaTable events() {
        LuaTable events = new LuaTable();
        Class<?>[] records = TraceEvent.class.getPermittedSubclasses();
        for (int i = 0; i < records.length; i++) {
            LuaTable fields = new LuaTable();
            add(records[i], fields);
            events.put(
                    i + 1,
                    new LuaTable()
                            .put("event", records[i].getSimpleName())
                            .put("filter", filter(records[i]))
                            .put("fields", fields));
        }
        return events;
    }

    /// The first words of a display filter, such as `vitrine.syscall` in `vitrine.syscall.name`.
    private static String filter(Class<?> event) {
        if (event == TraceEvent.ControlMessage.class) {
            return "vhostuser";
        }
        return "vitrine."
                + switch (event.getSimpleName()) {
                    case "GuestCallEntered", "GuestCallReturned" -> "call";
                    case "GuestDecision" -> "decision";
                    case "RequestQueued" -> "queued";
                    case "RingAccess" -> "ring";
                    case "Notified" -> "notified";
                    case "ChainPopped" -> "popped";
                    case "ChainRefused" -> "refused";
                    case "ChainPushed" -> "pushed";
                    case "RequestDecoded" -> "request";
                    case "ReplyGiven" -> "reply";
                    case "HostCall" -> "syscall";
                    case "Dropped" -> "gap";
                    default -> throw new IllegalStateException(event + " has no name in a display filter");
                };
    }

    /// The components of a record; those of a record inside it are in its place.
    private static void add(Class<?> record, LuaTable to) {
        for (RecordComponent component : record.getRecordComponents()) {
            Class<?> type = component.getType();
            if (type == Stamp.class) {
                continue;
            } else if (type.isRecord()) {
                add(type, to);
            } else {
                to.add(new LuaTable()
                        .put("name", snake(component.getName()))
                        .put("kind", kind(type))
                        .put("each", type == List.class ? each(component) : new LuaTable()));
            }
        }
    }

    private static String kind(Class<?> type) {
        if (type == List.class) {
            return "list";
        } else if (type == RawBytes.class) {
            return "bytes";
        }
        return type.isPrimitive() ? "integer" : "text";
    }

    /// The names of the components of a list's elements.
    private static LuaTable each(RecordComponent list) {
        Class<?> element = (Class<?>) ((ParameterizedType) list.getGenericType()).getActualTypeArguments()[0];
        LuaTable names = new LuaTable();
        for (RecordComponent component : element.getRecordComponents()) {
            names.add(snake(component.getName()));
        }
        return names;
    }

    private static String snake(String name) {
        return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
