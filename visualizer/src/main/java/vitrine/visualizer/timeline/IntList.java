package vitrine.visualizer.timeline;

import java.util.Arrays;

/// A list of ints that are no objects.
final class IntList {

    private int[] values = new int[4];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int get(int index) {
        return values[index];
    }

    void set(int index, int value) {
        values[index] = value;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }
}
