package vitrine.guest.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files that a [RepeatingGuest] asks for.
public final class ShareOfFiles {

    /// A file that is read and written.
    static final String DATA = "data";

    /// Its size.
    static final int DATA_BYTES = 16 << 20;

    /// A directory with many names.
    static final String MANY = "many";

    private static final int ENTRIES = 1000;

    private ShareOfFiles() {}

    /// Makes them in an empty directory.
    public static void fill(Path share) throws IOException {
        Files.write(share.resolve(DATA), new byte[DATA_BYTES]);
        Path many = Files.createDirectory(share.resolve(MANY));
        for (int i = 0; i < ENTRIES; i++) {
            Files.createFile(many.resolve("file-" + i));
        }
    }
}
