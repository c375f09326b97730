package vitrine.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The name of a file or of an extended attribute, or the target of a symbolic link: any bytes but
/// NUL, as Linux has them.
///
/// It is no `String`, because Linux names have no character set: two names that are the same text
/// to Java may be two files, and a name that is no text at all must still be found.
public final class Name implements Comparable<Name> {

    /// The longest name that [WireReader] reads, in bytes. It is far beyond what any file system
    /// has, so that the host may answer ENAMETOOLONG; it keeps a guest from having us copy
    /// gigabytes.
    public static final int LONGEST = 65535;

    private final byte[] bytes;

    private Name(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The name spelled `text`, as UTF-8.
    ///
    /// @throws IllegalArgumentException if it contains NUL
    public static Name of(String text) {
        return checked(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The name of these bytes, without a NUL at the end. The bytes are copied.
    ///
    /// @throws IllegalArgumentException if they contain NUL
    public static Name of(byte[] bytes) {
        return checked(bytes.clone());
    }

    /// For [WireReader], which has made the array itself and has stopped at the first NUL.
    static Name ofOwn(byte[] bytes) {
        return new Name(bytes);
    }

    private static Name checked(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                throw new IllegalArgumentException("a name cannot contain NUL");
            }
        }
        return new Name(bytes);
    }

    /// A copy of the bytes, without NUL.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// The number of bytes, without NUL.
    public int length() {
        return bytes.length;
    }

    /// The byte at `index`, from 0 to [#length] - 1.
    public byte at(int index) {
        return bytes[index];
    }

    /// Whether the name contains this byte, for example `'/'`.
    public boolean contains(int value) {
        for (byte b : bytes) {
            if (b == (byte) value) {
                return true;
            }
        }
        return false;
    }

    /// Whether it begins with these bytes; each name does with none.
    public boolean startsWith(Name prefix) {
        return length() >= prefix.length()
                && Arrays.equals(bytes, 0, prefix.length(), prefix.bytes, 0, prefix.length());
    }

    /// The name without its first `count` bytes.
    public Name from(int count) {
        return new Name(Arrays.copyOfRange(bytes, count, bytes.length));
    }

    /// This name and then that one, as one.
    public Name followedBy(Name next) {
        byte[] both = Arrays.copyOf(bytes, length() + next.length());
        System.arraycopy(next.bytes, 0, both, length(), next.length());
        return new Name(both);
    }

    /// For [WireWriter], which only reads it.
    byte[] shared() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Name name && Arrays.equals(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// Byte by byte, unsigned: the order of `strcmp`.
    @Override
    public int compareTo(Name other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    /// The name as text where it is printable UTF-8, otherwise with `\xNN` for each byte that a
    /// line of a log cannot show as it is.
    @Override
    public String toString() {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.chars().noneMatch(Character::isISOControl)) {
                return text;
            }
        } catch (CharacterCodingException _) {
            // Not UTF-8: Linux does not mind, and the bytes are shown below.
        }
        return escaped();
    }

    private String escaped() {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            if (b >= ' ' && b < 0x7f && b != '\\') {
                text.append((char) b);
            } else {
                text.append(String.format("\\x%02x", b));
            }
        }
        return text.toString();
    }
}
