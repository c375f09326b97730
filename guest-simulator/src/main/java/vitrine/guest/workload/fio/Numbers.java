package vitrine.guest.workload.fio;

import java.util.Locale;

/// Numbers as fio prints them: no more digits than fit, and a letter for the rest.
final class Numbers {

    private static final int DIGITS = 4;
    private static final String[] DECIMAL = {"", "k", "M", "G", "T", "P"};
    private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

    private Numbers() {}

    /// In multiples of 1000.
    ///
    /// @param digits at most so many, the decimal point counted
    static String count(long number, int digits) {
        return shortened(number, digits, 1000, DECIMAL);
    }

    /// In multiples of 1000, with four digits.
    static String count(long number) {
        return count(number, DIGITS);
    }

    /// In multiples of 1024, with four digits.
    static String bytes(long number, String unit) {
        return shortened(number, DIGITS, 1024, BINARY) + unit;
    }

    /// In multiples of 1024, and in brackets of 1000.
    static String both(long number, String unit) {
        return bytes(number, unit) + " (" + count(number) + unit + ")";
    }

    private static String shortened(long number, int digits, int base, String[] letters) {
        long left = number;
        long rest = 0;
        int letter = 0;
        while (Long.toString(left).length() > digits && letter < letters.length - 1) {
            rest = left % base;
            left /= base;
            letter++;
        }
        int decimals = digits - 1 - Long.toString(left).length();
        if (letter == 0 || decimals < 1) {
            return (left + (letter > 0 && rest >= base / 2 ? 1 : 0)) + letters[letter];
        }
        return format("%." + decimals + "f", left + (double) rest / base) + letters[letter];
    }

    /// As C's printf has it.
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
