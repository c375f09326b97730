package vitrine.visualizer.timeline;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import vitrine.trace.RawBytes;
import vitrine.trace.TraceEvent.Descriptor;
import vitrine.trace.TraceEvent.Field;
import vitrine.trace.TraceEvent.Sender;

/// What only some events have: lists, and the bytes of requests, one after the other.
///
/// Each `add` answers where it has put its value; the `at` of the same name reads it there.
final class Details {

    private static final int BITS = 26; // of a place within a piece
    private static final int PIECE = 1 << BITS;
    private static final int PIECES = 1 << 31 - BITS;
    private static final int MESSAGE_HEAD = Long.BYTES + 4 * Integer.BYTES;

    private final Words words;
    private final List<ByteBuffer> pieces = new ArrayList<>();

    Details(Words words) {
        this.words = words;
        pieces.add(ByteBuffer.allocate(1 << 12));
    }

    /// The same as they are now: nothing is copied, for nothing changes.
    Details frozen(Words frozenWords) {
        Details copy = new Details(frozenWords);
        copy.pieces.clear();
        pieces.forEach(piece -> copy.pieces.add(piece.duplicate()));
        return copy;
    }

    /// How much memory they take.
    long bytes() {
        return pieces.stream().mapToLong(ByteBuffer::capacity).sum();
    }

    int addFields(List<Field> fields) {
        ByteBuffer piece = room(sizeOf(fields));
        int at = placeIn(piece);
        put(fields, piece);
        return at;
    }

    private static int sizeOf(List<Field> fields) {
        return Integer.BYTES * (1 + 2 * fields.size());
    }

    private void put(List<Field> fields, ByteBuffer piece) {
        piece.putInt(fields.size());
        fields.forEach(field -> piece.putInt(words.number(field.name())).putInt(words.number(field.value())));
    }

    int addDescriptors(List<Descriptor> descriptors) {
        ByteBuffer piece = room(Integer.BYTES + (Long.BYTES + 1) * descriptors.size());
        int at = placeIn(piece);
        piece.putInt(descriptors.size());
        descriptors.forEach(
                descriptor -> piece.putLong(descriptor.length()).put((byte) (descriptor.writable() ? 1 : 0)));
        return at;
    }

    /// The sender, the bytes and the fields of a request; of a reply with nobody as the sender.
    int addMessage(Sender sender, RawBytes raw, List<Field> fields) {
        byte[] content = raw.toArray();
        ByteBuffer piece = room(MESSAGE_HEAD + content.length + sizeOf(fields));
        int at = placeIn(piece);
        piece.putLong(sender.nodeid()).putInt(sender.uid()).putInt(sender.gid()).putInt(sender.pid());
        piece.putInt(content.length).put(content);
        put(fields, piece);
        return at;
    }

    List<Field> fieldsAt(int at) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < intAt(at); i++) {
            int name = intAt(at + 4 + 8 * i);
            int value = intAt(at + 8 + 8 * i);
            fields.add(new Field(words.text(name), words.text(value)));
        }
        return fields;
    }

    List<Descriptor> descriptorsAt(int at) {
        List<Descriptor> descriptors = new ArrayList<>();
        for (int i = 0; i < intAt(at); i++) {
            int entry = at + 4 + 9 * i;
            descriptors.add(
                    new Descriptor(longAt(entry), pieces.get(entry >>> BITS).get((entry + 8) & PIECE - 1) != 0));
        }
        return descriptors;
    }

    Sender senderAt(int at) {
        return new Sender(longAt(at), intAt(at + 8), intAt(at + 12), intAt(at + 16));
    }

    RawBytes rawAt(int at) {
        byte[] content = new byte[intAt(at + 20)];
        pieces.get(at >>> BITS).get((at + 24) & PIECE - 1, content);
        return RawBytes.of(content);
    }

    int fieldsOfMessage(int at) {
        return at + 24 + intAt(at + 20);
    }

    /// What a field says, or null if there is no such field.
    String valueAt(int fieldsAt, String name) {
        for (int i = 0; i < intAt(fieldsAt); i++) {
            if (words.text(intAt(fieldsAt + 4 + 8 * i)).equals(name)) {
                return words.text(intAt(fieldsAt + 8 + 8 * i));
            }
        }
        return null;
    }

    private int intAt(int at) {
        return pieces.get(at >>> BITS).getInt(at & PIECE - 1);
    }

    private long longAt(int at) {
        return pieces.get(at >>> BITS).getLong(at & PIECE - 1);
    }

    private int placeIn(ByteBuffer piece) {
        return pieces.size() - 1 << BITS | piece.position();
    }

    /// The last piece, grown until something fits, or one more: no value lies in two.
    private ByteBuffer room(int wanted) {
        ByteBuffer last = pieces.getLast();
        if (last.remaining() >= wanted) {
            return last;
        }
        long size = Math.max(2L * last.capacity(), (long) last.position() + wanted);
        if (size <= PIECE) {
            ByteBuffer larger = ByteBuffer.allocate((int) size).put(last.flip());
            pieces.set(pieces.size() - 1, larger);
            return larger;
        }
        if (wanted > PIECE || pieces.size() == PIECES) {
            throw new IllegalStateException("the requests of this run have more than 2 GiB");
        }
        pieces.add(ByteBuffer.allocate(PIECE));
        return pieces.getLast();
    }
}
