package vitrine.migration;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;

/// Reads a state. It comes from the front end, so nothing in it is believed: not a length, and not
/// that all of it is there before the end was seen.
public final class StateReader {

    private final InputStream in;
    private final CRC32C sum = new CRC32C();
    private boolean begun;
    private long count;

    /// A state that is there, or comes.
    public StateReader(InputStream from) {
        in = new BufferedInputStream(from, 1 << 16);
    }

    /// The next record; empty at the end, when all of it has turned out to be as it was written.
    ///
    /// @throws MalformedException if it is none, or one of another version
    public Optional<StateRecord> next() throws IOException, MalformedException {
        if (!begun) {
            begin();
        }
        int kind = words(Integer.BYTES).u32();
        if (kind == StateWriter.END) {
            end();
            return Optional.empty();
        }
        long length = words(Integer.BYTES).u32AsLong();
        if (length > StateRecord.MOST_BYTES) {
            throw new MalformedException("a record of " + length + " bytes");
        }
        WireReader record = words((int) length);
        StateRecord next = StateRecord.decode(kind, record);
        if (record.remaining() != 0) {
            throw new MalformedException("a record with " + record.remaining() + " bytes too many");
        }
        count++;
        return Optional.of(next);
    }

    private void begin() throws IOException, MalformedException {
        begun = true;
        if (!Arrays.equals(bytes(StateWriter.MAGIC.length), StateWriter.MAGIC)) {
            throw new MalformedException("not the state of a vitrine daemon");
        }
        int version = words(Integer.BYTES).u32();
        if (version != StateWriter.VERSION) {
            throw new MalformedException("a state of version %s; this daemon reads version %d"
                    .formatted(Integer.toUnsignedString(version), StateWriter.VERSION));
        }
    }

    private void end() throws IOException, MalformedException {
        long written = words(Long.BYTES).u64();
        int expected = (int) sum.getValue();
        if (written != count || words(Integer.BYTES).u32() != expected) {
            throw new MalformedException("a state that has changed on its way");
        }
        if (in.read() != -1) {
            throw new MalformedException("something behind the end of the state");
        }
    }

    private WireReader words(int count) throws IOException, MalformedException {
        return new WireReader(Buffers.ofBytes(bytes(count)));
    }

    private byte[] bytes(int count) throws IOException, MalformedException {
        byte[] bytes = new byte[count];
        if (in.readNBytes(bytes, 0, count) < count) {
            throw new MalformedException("a state that ends too early");
        }
        sum.update(bytes);
        return bytes;
    }
}
