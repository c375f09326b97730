package vitrine.fuse.flag;

import java.util.StringJoiner;

/// One bit of a word of flags, with what is to be said about it.
///
/// Each word of the protocol has an enum of its own, so that a bit cannot be looked for in the
/// wrong word by its name. Words stay plain numbers: a guest may set bits that nobody has named
/// yet.
public interface Flag {

    /// Its name within the word, such as `KILL_SUIDGID`.
    String name();

    /// Its name in the C header, such as `FUSE_WRITE_KILL_SUIDGID`.
    String cName();

    /// The one bit.
    long bit();

    /// The protocol version that brought it.
    String since();

    /// What it means, in one sentence.
    String sentence();

    /// Whether `word` contains it.
    default boolean in(long word) {
        return (word & bit()) != 0;
    }

    /// The word that contains these flags and no others.
    static long word(Flag... flags) {
        long word = 0;
        for (Flag flag : flags) {
            word |= flag.bit();
        }
        return word;
    }

    /// The word of 32 bits that contains these flags and no others.
    static int word32(Flag... flags) {
        return (int) word(flags);
    }

    /// The names of the flags in `word`, joined by `|`; bits without a name in hexadecimal, `0` for
    /// none.
    static String describe(long word, Flag[] known) {
        StringJoiner names = new StringJoiner("|").setEmptyValue("0");
        long rest = word;
        for (Flag flag : known) {
            if (flag.in(word)) {
                names.add(flag.name());
                rest &= ~flag.bit();
            }
        }
        if (rest != 0) {
            names.add("0x" + Long.toHexString(rest));
        }
        return names.toString();
    }
}
