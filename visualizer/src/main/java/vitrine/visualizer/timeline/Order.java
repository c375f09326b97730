package vitrine.visualizer.timeline;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/// Sorting by a key, without an object for each thing that is sorted. What has the same key stays
/// in its order, and what is sorted already takes one look.
final class Order {

    private Order() {}

    /// The numbers from 0 to `count`, those with the least keys first.
    static int[] by(int count, IntToLongFunction key) {
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        sort(order, new int[count], key, 0, count);
        return order;
    }

    private static void sort(int[] order, int[] spare, IntToLongFunction key, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(order, spare, key, from, middle);
        sort(order, spare, key, middle, to);
        if (key.applyAsLong(order[middle - 1]) <= key.applyAsLong(order[middle])) {
            return;
        }
        System.arraycopy(order, from, spare, from, middle - from);
        int left = from;
        int right = middle;
        for (int at = from; left < middle; at++) {
            boolean takesRight = right < to && key.applyAsLong(order[right]) < key.applyAsLong(spare[left]);
            order[at] = takesRight ? order[right++] : spare[left++];
        }
    }
}
