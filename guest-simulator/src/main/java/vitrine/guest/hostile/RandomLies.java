package vitrine.guest.hostile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import vitrine.fuse.Opcode;

/// Requests that were honest, with some bytes changed.
final class RandomLies {

    private static final int OPCODE = 4; // where it lies in the header
    private static final int MOST_CHANGES = 4;
    private static final byte[] EXTREMES = {0, 1, 0x7f, (byte) 0x80, (byte) 0xff};

    /// What may take for ever or fill the disk, and what begins or ends a session.
    private static final Set<Opcode> SPARED = Set.of(
            Opcode.INIT,
            Opcode.DESTROY,
            Opcode.SETLKW,
            Opcode.FALLOCATE,
            Opcode.COPY_FILE_RANGE,
            Opcode.COPY_FILE_RANGE_64);

    private RandomLies() {}

    /// @param seed the same one changes the same bytes
    static Lie of(int tries, long seed) {
        return new Lie("Chance", tries + " requests with bytes changed", Outcome.VARIOUS, session -> {
            Random random = new Random(seed);
            return Outcome.ofAll(Stream.generate(() -> session.ask(changed(RequestLies.requests(session), random)))
                    .limit(tries));
        });
    }

    private static byte[] changed(List<byte[]> requests, Random random) {
        byte[] request = requests.get(random.nextInt(requests.size()));
        int opcode = little(request).getInt(OPCODE);
        for (int changes = random.nextInt(MOST_CHANGES) + 1; changes > 0; changes--) {
            int at = random.nextInt(request.length);
            request[at] = random.nextBoolean() ? (byte) random.nextInt() : EXTREMES[random.nextInt(EXTREMES.length)];
        }
        if (SPARED.stream()
                .anyMatch(spared -> spared.number() == little(request).getInt(OPCODE))) {
            little(request).putInt(OPCODE, opcode);
        }
        return request;
    }

    private static ByteBuffer little(byte[] request) {
        return ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN);
    }
}
