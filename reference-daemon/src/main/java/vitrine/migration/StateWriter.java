package vitrine.migration;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import vitrine.wire.Buffers;
import vitrine.wire.WireWriter;

/// Writes a state: version, records, and at the end how many there were and a checksum.
public final class StateWriter {

    /// What a state begins with.
    static final byte[] MAGIC = "vitrine\n".getBytes(StandardCharsets.US_ASCII);

    /// The layout that is written here, and the only one that is read.
    static final int VERSION = 1;

    /// In the place of a record's kind: there is no more.
    static final int END = 0;

    private final CRC32C sum = new CRC32C();
    private final OutputStream out;
    private final byte[] record = new byte[StateRecord.MOST_BYTES];
    private long count;

    /// Begins a state.
    public StateWriter(OutputStream to) throws IOException {
        out = new BufferedOutputStream(new CheckedOutputStream(to, sum), 1 << 16);
        out.write(MAGIC);
        out.write(words(Integer.BYTES).putInt(VERSION).array());
    }

    /// Appends a record.
    public void write(StateRecord next) throws IOException {
        WireWriter bytes = new WireWriter(Buffers.ofBytes(record));
        next.encode(bytes);
        out.write(words(2 * Integer.BYTES)
                .putInt(next.kind())
                .putInt((int) bytes.written())
                .array());
        out.write(record, 0, (int) bytes.written());
        count++;
    }

    /// Says that this was all.
    public void end() throws IOException {
        out.write(words(Integer.BYTES + Long.BYTES).putInt(END).putLong(count).array());
        out.flush(); // so that the sum is that of all before it
        out.write(words(Integer.BYTES).putInt((int) sum.getValue()).array());
        out.flush();
    }

    private static ByteBuffer words(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
