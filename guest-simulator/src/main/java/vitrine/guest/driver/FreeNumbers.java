package vitrine.guest.driver;

import java.util.random.RandomGenerator;

/// The numbers that a driver has free, of descriptors or of ids, taken at random: a driver that
/// takes them in order hides mistakes of the device.
final class FreeNumbers {

    private final RandomGenerator random;
    private final int[] free; // the first count are free, in no order
    private int count;

    /// All numbers below `size`.
    FreeNumbers(int size, RandomGenerator random) {
        this.random = random;
        free = new int[size];
        for (int number = 0; number < size; number++) {
            free[number] = number;
        }
        count = size;
    }

    int count() {
        return count;
    }

    /// Chooses one at random and moves it to the end of the free ones, where [#take] finds it.
    int pick() {
        int pick = random.nextInt(count);
        int number = free[pick];
        free[pick] = free[count - 1];
        free[count - 1] = number;
        return number;
    }

    /// Takes the one that was picked last.
    int take() {
        return free[--count];
    }

    void giveBack(int number) {
        free[count++] = number;
    }
}
