package vitrine.conformance.qemu;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/// A tar archive of a source tree that was never written: 200 folders, some 3000 files.
///
/// The same seed makes the same bytes. Modes, owners, times, names, sizes and kinds of files are
/// spread over it so that each turns up with each.
public final class SourceTree {

    private static final int FOLDERS = 200;
    private static final int FILES_IN_EACH = 15;
    private static final int BLOCK = 512;
    private static final int[] FILE_MODES = {0644, 0644, 0644, 0755, 0600, 0444, 04755, 02755, 06711};
    private static final int[] FOLDER_MODES = {0755, 0755, 0775, 01777, 02775};
    private static final long TIME = 1_400_000_000; // in 2014; each file a little later

    // the type flags of a tar header (POSIX.1-2017, pax: "ustar Interchange Format")
    private static final char FILE = '0';
    private static final char HARD_LINK = '1';
    private static final char SYMBOLIC_LINK = '2';
    private static final char FOLDER = '5';

    private final ByteArrayOutputStream tar = new ByteArrayOutputStream(16 << 20);
    private final Random random;
    private int entries;

    private SourceTree(long seed) {
        random = new Random(seed);
    }

    /// The archive of this seed.
    public static byte[] tar(long seed) {
        SourceTree tree = new SourceTree(seed);
        tree.write();
        return tree.tar.toByteArray();
    }

    private void write() {
        entry(FOLDER, "tree", 0755, "", new byte[0]);
        entry(FOLDER, "tree/empty", 0700, "", new byte[0]);
        for (int folder = 0; folder < FOLDERS; folder++) {
            String path = String.format("tree/dir-%03d", folder);
            entry(FOLDER, path, FOLDER_MODES[folder % FOLDER_MODES.length], "", new byte[0]);
            for (int file = 0; file < FILES_IN_EACH; file++) {
                entry(FILE, name(path, file), FILE_MODES[(folder + file) % FILE_MODES.length], "", content(file));
            }
            entry(SYMBOLIC_LINK, path + "/link", 0777, "../dir-000/file-0" + folder % 10 + ".c", new byte[0]);
            if (folder % 4 == 0) {
                entry(HARD_LINK, path + "/other-name", 0, name(path, 9), new byte[0]);
            }
            if (folder % 10 == 0) {
                entry(FILE, path + "/Ünïcode näme with blanks", 0640, "", content(folder));
            }
        }
        tar.writeBytes(new byte[2 * BLOCK]);
    }

    private static String name(String folder, int file) {
        return String.format("%s/file-%02d.c", folder, file);
    }

    /// Mostly small; empty ones, ones about a page, and two over a request's megabyte.
    private byte[] content(int file) {
        int size = switch (entries % 97) {
            case 0, 1 -> 0;
            case 2 -> 4095 + file % 3;
            case 3 -> 65_536 + file;
            case 4 -> entries < 200 ? (1 << 20) + 4097 : 1;
            default -> 20 + random.nextInt(1200);
        };
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        byte[] start = ("int f" + entries + "() { return " + file + "; }\n").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, bytes, 0, Math.min(size, start.length));
        return bytes;
    }

    private void entry(char type, String name, int mode, String target, byte[] content) {
        entries++;
        ByteBuffer header = ByteBuffer.allocate(BLOCK);
        put(header, 0, name);
        put(header, 100, octal(7, mode));
        put(header, 108, octal(7, entries % 5 == 0 ? 1000 : 0)); // uid
        put(header, 116, octal(7, entries % 7 == 0 ? 1000 : 0)); // gid
        put(header, 124, octal(11, content.length));
        put(header, 136, octal(11, TIME + entries));
        put(header, 148, " ".repeat(8)); // the checksum, while it is counted
        header.put(156, (byte) type);
        put(header, 157, target);
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte each : header.array()) {
            sum += Byte.toUnsignedInt(each);
        }
        put(header, 148, octal(6, sum) + "\0 ");
        tar.writeBytes(header.array());
        tar.writeBytes(content);
        tar.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private static String octal(int digits, long value) {
        return String.format("%0" + digits + "o", value);
    }

    private static void put(ByteBuffer header, int at, String text) {
        header.put(at, text.getBytes(StandardCharsets.UTF_8));
    }
}
