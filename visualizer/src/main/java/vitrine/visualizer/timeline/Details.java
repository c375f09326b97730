package vitrine.visualizer.timeline;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import vitrine.trace.RawBytes;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Sender;

/// What only some events have: lists, and the bytes of requests, one after the other in one array.
///
/// Each `add` answers where it has put its value; the `at` of the same name reads it there.
final class Details {

    private final Words words;
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 12);

    Details(Words words) {
        this.words = words;
    }

    Details frozen(Words frozenWords) {
        Details copy = new Details(frozenWords);
        copy.bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), bytes.position()));
        return copy;
    }

    int addFields(List<Field> fields) {
        int at = room(Integer.BYTES * (1 + 2 * fields.size()));
        bytes.putInt(fields.size());
        fields.forEach(field -> bytes.putInt(words.number(field.name())).putInt(words.number(field.value())));
        return at;
    }

    int addDescriptors(List<Descriptor> descriptors) {
        int at = room(Integer.BYTES + (Long.BYTES + 1) * descriptors.size());
        bytes.putInt(descriptors.size());
        descriptors.forEach(
                descriptor -> bytes.putLong(descriptor.length()).put((byte) (descriptor.writable() ? 1 : 0)));
        return at;
    }

    /// The sender, the bytes and the fields of a request; of a reply with nobody as the sender.
    int addMessage(Sender sender, RawBytes raw, List<Field> fields) {
        byte[] content = raw.toArray();
        int at = room(Long.BYTES + 4 * Integer.BYTES + content.length);
        bytes.putLong(sender.nodeid()).putInt(sender.uid()).putInt(sender.gid()).putInt(sender.pid());
        bytes.putInt(content.length).put(content);
        addFields(fields);
        return at;
    }

    List<Field> fieldsAt(int at) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < bytes.getInt(at); i++) {
            int name = bytes.getInt(at + 4 + 8 * i);
            int value = bytes.getInt(at + 8 + 8 * i);
            fields.add(new Field(words.text(name), words.text(value)));
        }
        return fields;
    }

    List<Descriptor> descriptorsAt(int at) {
        List<Descriptor> descriptors = new ArrayList<>();
        for (int i = 0; i < bytes.getInt(at); i++) {
            int entry = at + 4 + 9 * i;
            descriptors.add(new Descriptor(bytes.getLong(entry), bytes.get(entry + 8) != 0));
        }
        return descriptors;
    }

    Sender senderAt(int at) {
        return new Sender(bytes.getLong(at), bytes.getInt(at + 8), bytes.getInt(at + 12), bytes.getInt(at + 16));
    }

    RawBytes rawAt(int at) {
        byte[] content = new byte[bytes.getInt(at + 20)];
        bytes.get(at + 24, content);
        return RawBytes.of(content);
    }

    int fieldsOfMessage(int at) {
        return at + 24 + bytes.getInt(at + 20);
    }

    /// What a field says, or null if there is no such field.
    String valueAt(int fieldsAt, String name) {
        for (int i = 0; i < bytes.getInt(fieldsAt); i++) {
            if (words.text(bytes.getInt(fieldsAt + 4 + 8 * i)).equals(name)) {
                return words.text(bytes.getInt(fieldsAt + 8 + 8 * i));
            }
        }
        return null;
    }

    private int room(int wanted) {
        if (bytes.remaining() < wanted) {
            long size = Math.max(2L * bytes.capacity(), (long) bytes.position() + wanted);
            if (size > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("the requests of this run have more than 2 GiB");
            }
            ByteBuffer larger = ByteBuffer.allocate((int) size);
            larger.put(bytes.flip());
            bytes = larger;
        }
        return bytes.position();
    }
}
