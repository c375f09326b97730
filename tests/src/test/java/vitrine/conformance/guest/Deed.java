package vitrine.conformance.guest;

import java.util.List;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Something that a program does to `file` and after which set-ID bits and capabilities may be
/// gone; the same calls in the guest and on the host.
@FunctionalInterface
interface Deed {

    /// Every deed that there is, but for those that only repeat one.
    List<String> NAMES = List.of(
            "write",
            "append",
            "write O_DIRECT",
            "open O_TRUNC",
            "truncate",
            "ftruncate",
            "fallocate",
            "punch hole",
            "copy_file_range",
            "chgrp",
            "chown",
            "chown nothing",
            "chown nothing while writing");

    /// Does it.
    ///
    /// @param gid the group of the program
    void by(Program program, int gid) throws ErrnoException;

    /// The deed of this name.
    static Deed named(String name) {
        return switch (name) {
            case "write" -> open(Fcntl.O_WRONLY, (program, _) -> program.write(0, new byte[4096]));
            case "write thrice" ->
                open(Fcntl.O_WRONLY, (program, _) -> {
                    for (int i = 0; i < 3; i++) {
                        program.write(0, new byte[4096]);
                    }
                });
            case "append" -> open(Fcntl.O_WRONLY | Fcntl.O_APPEND, (program, _) -> program.write(0, new byte[4096]));
            case "write O_DIRECT" ->
                open(Fcntl.O_WRONLY | Fcntl.O_DIRECT, (program, _) -> program.write(0, new byte[4096]));
            case "open O_TRUNC" -> open(Fcntl.O_WRONLY | Fcntl.O_TRUNC, (_, _) -> {});
            case "truncate" -> (program, _) -> program.truncate("/file", 100);
            case "ftruncate" -> open(Fcntl.O_WRONLY, (program, _) -> program.ftruncate(0, 100));
            case "fallocate" -> open(Fcntl.O_WRONLY, (program, _) -> program.fallocate(0, 0, 0, 9000));
            case "punch hole" ->
                open(
                        Fcntl.O_WRONLY,
                        (program, _) ->
                                program.fallocate(0, Fcntl.FALLOC_FL_PUNCH_HOLE | Fcntl.FALLOC_FL_KEEP_SIZE, 0, 4096));
            case "copy_file_range" ->
                open(Fcntl.O_WRONLY, (program, _) -> {
                    program.open(1, "/other", Fcntl.O_RDONLY, 0);
                    program.copy(new Program.Place(1, 0), new Program.Place(0, 0), 4096);
                    program.close(1);
                });
            case "chgrp" -> (program, gid) -> program.chown("/file", -1, gid, true);
            case "chown" -> (program, _) -> program.chown("/file", 1001, 1001, true);
            case "chown nothing" -> (program, _) -> program.chown("/file", -1, -1, true);
            case "chown nothing while writing" ->
                open(Fcntl.O_WRONLY, (program, _) -> program.chown("/file", -1, -1, true));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Deed open(int flags, Deed withFile) {
        return (program, gid) -> {
            program.open(0, "/file", flags, 0);
            withFile.by(program, gid);
            program.close(0);
        };
    }
}
