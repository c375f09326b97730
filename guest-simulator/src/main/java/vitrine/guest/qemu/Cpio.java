package vitrine.guest.qemu;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/// Writes a cpio archive in the "new ASCII" form, the one Linux unpacks at boot.
///
/// An entry is a header of 110 characters (a magic number, then 13 fields of 8 hexadecimal digits),
/// the name, and the content, the latter two padded to 4 bytes
/// (Linux: Documentation/driver-api/early-userspace/buffer-format.rst). Folders on the way to an
/// entry are added by themselves, each once. Everything belongs to root and has the time 0, so the
/// same input makes the same bytes.
public final class Cpio {

    private static final int FOLDER = 0040000; // the S_IF... bits of <sys/stat.h>
    private static final int DEVICE = 0020000;
    private static final int FILE = 0100000;
    private static final int LINK = 0120000;

    private final ByteArrayOutputStream archive = new ByteArrayOutputStream(8 << 20);
    private final Set<String> folders = new HashSet<>();
    private int entries;

    /// Adds a folder, mode 0755, unless it is there.
    public void folder(String path) {
        if (path.isEmpty() || !folders.add(path)) {
            return;
        }
        folder(parent(path));
        entry(path, FOLDER | 0755, new byte[0], 0, 0);
    }

    /// Adds a regular file. `path` is relative to the root: `bin/sh`; `permissions` such as 0755.
    public void file(String path, int permissions, byte[] content) {
        folder(parent(path));
        entry(path, FILE | permissions, content, 0, 0);
    }

    /// Adds a symbolic link.
    public void link(String path, String target) {
        folder(parent(path));
        entry(path, LINK | 0777, target.getBytes(StandardCharsets.UTF_8), 0, 0);
    }

    /// Adds a character device.
    public void device(String path, int permissions, int major, int minor) {
        folder(parent(path));
        entry(path, DEVICE | permissions, new byte[0], major, minor);
    }

    /// Ends the archive and gives its bytes; nothing can be added afterwards.
    public byte[] finish() {
        entry("TRAILER!!!", 0, new byte[0], 0, 0);
        return archive.toByteArray();
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private void entry(String path, int mode, byte[] content, int major, int minor) {
        byte[] name = (path + "\0").getBytes(StandardCharsets.UTF_8);
        ascii("070701"); // the magic number
        hex(++entries); // inode number: equal ones would be hard links
        hex(mode);
        hex(0); // uid
        hex(0); // gid
        hex(1); // link count
        hex(0); // mtime
        hex(content.length);
        hex(0); // device the archive was made on, major
        hex(0); // and minor
        hex(major);
        hex(minor);
        hex(name.length); // with the NUL
        hex(0); // checksum, unused in this form
        archive.writeBytes(name);
        pad();
        archive.writeBytes(content);
        pad();
    }

    private void hex(int field) {
        ascii(String.format("%08x", field));
    }

    private void ascii(String text) {
        archive.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void pad() {
        while (archive.size() % 4 != 0) {
            archive.write(0);
        }
    }
}
