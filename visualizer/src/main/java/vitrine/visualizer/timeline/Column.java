package vitrine.visualizer.timeline;

import java.util.Arrays;

/// A property of all events: numbers, to which more are added at the end and never changed.
///
/// They lie in pieces. A piece that is full is kept in as few bytes a number as its least and its
/// greatest leave to be told apart: of a million requests most properties take one or two.
final class Column {

    private static final int BITS = 14;
    private static final int PIECE = 1 << BITS;
    private static final int FIRST = 64;

    /// Numbers that will not change.
    private sealed interface Piece {

        long at(int i);

        int bytes();
    }

    private record Same(long value) implements Piece {
        @Override
        public long at(int i) {
            return value;
        }

        @Override
        public int bytes() {
            return 0;
        }
    }

    private record Bytes(long least, byte[] above) implements Piece {
        @Override
        public long at(int i) {
            return least + (above[i] & 0xff);
        }

        @Override
        public int bytes() {
            return PIECE;
        }
    }

    private record Chars(long least, char[] above) implements Piece {
        @Override
        public long at(int i) {
            return least + above[i];
        }

        @Override
        public int bytes() {
            return Character.BYTES * PIECE;
        }
    }

    private record Ints(long least, int[] above) implements Piece {
        @Override
        public long at(int i) {
            return least + Integer.toUnsignedLong(above[i]);
        }

        @Override
        public int bytes() {
            return Integer.BYTES * PIECE;
        }
    }

    private record Longs(long[] values) implements Piece {
        @Override
        public long at(int i) {
            return values[i];
        }

        @Override
        public int bytes() {
            return Long.BYTES * PIECE;
        }
    }

    private Piece[] full = new Piece[4];
    private int size;
    private long[] open = new long[FIRST]; // the last piece
    private long bytes;

    /// As much as there is now of one that grows: nothing is copied, for nothing changes.
    Column sharing() {
        Column shared = new Column();
        shared.full = full;
        shared.open = open;
        shared.size = size;
        shared.bytes = bytes;
        return shared;
    }

    void add(long value) {
        int i = size & PIECE - 1;
        if (i == open.length) {
            open = Arrays.copyOf(open, 2 * i);
        }
        open[i] = value;
        size++;
        if (i == PIECE - 1) {
            close();
        }
    }

    long at(int n) {
        int piece = n >> BITS;
        int i = n & PIECE - 1;
        return piece < size >> BITS ? full[piece].at(i) : open[i];
    }

    /// How much memory the full pieces take.
    long bytes() {
        return bytes;
    }

    private void close() {
        int number = (size >> BITS) - 1;
        if (number == full.length) {
            full = Arrays.copyOf(full, 2 * number);
        }
        full[number] = packed(open);
        bytes += full[number].bytes();
        open = new long[FIRST];
    }

    private static Piece packed(long[] values) {
        long least = Arrays.stream(values).min().orElseThrow();
        long greatest = Arrays.stream(values).max().orElseThrow();
        long span = greatest - least;
        if (span == 0) {
            return new Same(least);
        }
        if (span < 0 || span > 0xffff_ffffL) { // negative: wider than a long
            return new Longs(values);
        }
        if (span > 0xffff) {
            int[] above = new int[PIECE];
            Arrays.setAll(above, i -> (int) (values[i] - least));
            return new Ints(least, above);
        }
        if (span > 0xff) {
            char[] above = new char[PIECE];
            for (int i = 0; i < PIECE; i++) {
                above[i] = (char) (values[i] - least);
            }
            return new Chars(least, above);
        }
        byte[] above = new byte[PIECE];
        for (int i = 0; i < PIECE; i++) {
            above[i] = (byte) (values[i] - least);
        }
        return new Bytes(least, above);
    }
}
