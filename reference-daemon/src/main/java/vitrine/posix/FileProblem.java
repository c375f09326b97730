package vitrine.posix;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// What Java says of a file that cannot be had is often its name only; this says why.
public final class FileProblem {

    private FileProblem() {}

    /// The exception's message, for a person.
    public static String of(Exception problem) {
        return problem instanceof IOException io ? of(io) : problem.getMessage();
    }

    /// Refuses a folder that is none.
    ///
    /// @param option what has named it, such as `--shared-dir=`
    public static void requireFolder(String option, Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(option + folder + ": " + (Files.exists(folder) ? "not a folder" : "no such folder"));
        }
    }

    private static String of(IOException problem) {
        return switch (problem) {
            case NoSuchFileException missing -> missing(missing.getFile());
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            case FileAlreadyExistsException there -> there.getFile() + ": is there already";
            default -> problem.getMessage();
        };
    }

    private static String missing(String file) {
        Path folder = Path.of(file).toAbsolutePath().getParent();
        boolean alone = folder == null || Files.exists(folder);
        return alone ? file + ": no such file or folder" : file + ": no such folder: " + folder;
    }
}
