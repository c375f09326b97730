package vitrine.conformance.guest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// Which calls a history is made of: few names and sizes, so that the calls meet, and among them
/// those that only a careful kernel gets right.
///
/// | left out | because |
/// |---|---|
/// | set-group-ID without group execution | without V2 no client can clear it; see `KillPrivTest` |
/// | the user's chown(-1, -1) with V2 | of a file that is open for writing it looks like a write |
/// | COLLAPSE_RANGE, INSERT_RANGE | FUSE knows neither |
/// | the user's look at `trusted.` names | FUSE shows them to everybody |
/// | looking for holes in what was not synced | with write-back the host does not know of it yet |
/// | not looking at what `O_TRUNC` has emptied | with V2 Linux goes on believing in set-ID bits |
final class Histories {

    private static final int[] MODES = {0777, 0755, 0644, 0600, 0700, 0070, 0007, 0444, 0, 04755, 02775, 06777};
    private static final int PLAIN_MODES = 9; // those without set-ID bits
    private static final byte[] FILE_CAPABILITIES = new byte[20]; // capabilities(7), version 2

    static {
        FILE_CAPABILITIES[3] = 2;
        FILE_CAPABILITIES[5] = 4; // CAP_NET_BIND_SERVICE, permitted
    }

    private final Axes axes;

    private final Arbitrary<Integer> who = Arbitraries.of(Twins.ROOT, Twins.USER, Twins.USER);
    private final Arbitrary<Integer> slot = Arbitraries.integers().between(0, Twins.SLOTS - 1);
    private final Arbitrary<String> name = Arbitraries.of("a", "b", "c");
    private final Arbitrary<String> path = paths();
    private final Arbitrary<Long> offset = Arbitraries.of(0L, 1L, 10L, 4096L, 5000L, 8192L, 100_000L);
    private final Arbitrary<Integer> size = Arbitraries.of(1, 0, 10, 4096, 5000, 70_000);

    Histories(Axes axes) {
        this.axes = axes;
    }

    private Arbitrary<String> paths() {
        Arbitrary<String> directory = Arbitraries.of("d", "e", "d", "e", "a", "c", "d/c", "e/..");
        Arbitrary<String> below = Combinators.combine(directory, name).as((in, at) -> in + "/" + at);
        String odd = "d e / . .. d/. d/.. d/ a/ a/. c/ /d/a ../d/b //e//a d/../e/b c/a/ d/a/.. x/a";
        List<String> all = new ArrayList<>(List.of(odd.split(" ")));
        all.addAll(List.of("", "n".repeat(255), "n".repeat(256), "e/" + "../d/".repeat(9) + "a"));
        return Arbitraries.frequencyOf(Tuple.of(3, name), Tuple.of(5, below), Tuple.of(2, Arbitraries.of(all)));
    }

    private Arbitrary<Integer> modes(boolean setIdBits) {
        return Arbitraries.integers()
                .between(0, (setIdBits ? MODES.length : PLAIN_MODES) - 1)
                .map(index -> MODES[index]);
    }

    private static String octal(int mode) {
        return "0" + Integer.toOctalString(mode);
    }

    /// open(2), with or without `O_CREAT`.
    Arbitrary<Call> opens() {
        Arbitrary<Integer> flags = Combinators.combine(
                        Arbitraries.of(Fcntl.O_RDWR, Fcntl.O_RDONLY, Fcntl.O_WRONLY),
                        Arbitraries.of(Fcntl.O_CREAT, 0, Fcntl.O_CREAT | Fcntl.O_EXCL, Fcntl.O_TRUNC),
                        Arbitraries.of(0, 0, Fcntl.O_TRUNC, Fcntl.O_APPEND, Fcntl.O_NOFOLLOW, 0),
                        Arbitraries.of(0, 0, 0, 0, 0, 0, Fcntl.O_DIRECTORY))
                .as((access, create, how, directory) -> access | how | (directory != 0 ? directory : create));
        Arbitrary<Integer> modes = modes(axes.setGroupIdAtBirth());
        return Combinators.combine(who, slot, path, flags, modes)
                .as((by, in, at, with, mode) -> Call.silent(
                        by,
                        "open %d \"%s\" %s %s".formatted(in, at, octal(with), octal(mode)),
                        program -> program.openAndLook(in, at, with, mode)));
    }

    /// Reading and writing what is open.
    Arbitrary<Call> data() {
        return Arbitraries.oneOf(List.of(
                sized("read", (program, in, bytes, _) -> program.read(in, bytes.length)),
                sized("pread", (program, in, bytes, at) -> program.pread(in, bytes.length, at)),
                sized("write", (program, in, bytes, _) -> program.write(in, bytes)),
                sized("pwrite", (program, in, bytes, at) -> program.pwrite(in, bytes, at)),
                sized("pwrite", (program, in, bytes, at) -> program.pwrite(in, bytes, at)),
                sized("ftruncate", (program, in, _, at) -> {
                    program.ftruncate(in, at);
                    return "done";
                }),
                sized("fstat", (program, in, _, _) -> program.fstat(in)),
                sized("close", (program, in, _, _) -> {
                    program.close(in);
                    return "done";
                }),
                sized("fsync", (program, in, _, _) -> {
                    program.fsync(in);
                    return "done";
                }),
                seeks(),
                copies(),
                axes.fallocate() ? allocations() : holes()));
    }

    private interface Sized {
        Object by(Program program, int slot, byte[] bytes, long offset) throws ErrnoException;
    }

    private Arbitrary<Call> sized(String text, Sized how) {
        return Combinators.combine(who, slot, size, offset).as((by, in, length, at) -> {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) (by + in + length + at));
            return Call.of(
                    by,
                    "%s %d, %d bytes at %d".formatted(text, in, length, at),
                    program -> how.by(program, in, bytes, at));
        });
    }

    private Arbitrary<Call> seeks() {
        Arbitrary<Integer> whence = Arbitraries.of(Fcntl.SEEK_SET, Fcntl.SEEK_CUR, Fcntl.SEEK_END, 9);
        return Combinators.combine(who, slot, Arbitraries.of(0L, 5L, 4096L, -1L), whence)
                .as((by, in, at, from) ->
                        Call.of(by, "lseek %d %d %d".formatted(in, at, from), program -> program.seek(in, at, from)));
    }

    private Arbitrary<Call> holes() {
        return Combinators.combine(who, slot, offset, Arbitraries.of(Fcntl.SEEK_DATA, Fcntl.SEEK_HOLE))
                .as((by, in, at, from) -> Call.of(
                        by,
                        "fsync %d, lseek %s from %d"
                                .formatted(in, from == Fcntl.SEEK_DATA ? "SEEK_DATA" : "SEEK_HOLE", at),
                        program -> program.seekHole(in, at, from)));
    }

    private Arbitrary<Call> allocations() {
        Arbitrary<Integer> modes = Arbitraries.of(0, 1, 2, 3, 16, 17, 18);
        return Combinators.combine(who, slot, modes, offset, size)
                .as((by, in, mode, at, length) -> Call.silent(
                        by,
                        "fallocate %d mode %d, %d bytes at %d".formatted(in, mode, length, at),
                        program -> program.fallocate(in, mode, at, length)));
    }

    private Arbitrary<Call> copies() {
        return Combinators.combine(who, slot, slot, offset, size)
                .as((by, from, to, at, length) -> Call.of(
                        by,
                        "copy_file_range %d at %d to %d at %d, %d bytes".formatted(from, at, to, at * 2, length),
                        program -> program.copy(new Program.Place(from, at), new Program.Place(to, at * 2), length)));
    }

    /// Making, moving and removing names.
    Arbitrary<Call> names() {
        Arbitrary<Integer> modes = modes(false);
        return Arbitraries.oneOf(List.of(
                onPath("mkdir", modes, (program, at, mode) -> program.mkdir(at, mode)),
                onPath("unlink", modes, (program, at, _) -> program.unlink(at)),
                onPath("rmdir", modes, (program, at, _) -> program.rmdir(at)),
                nodes(),
                symlinks(),
                onTwo("link", List.of(0), (program, from, to, _) -> program.link(from, to)),
                renames()));
    }

    private interface OnPath {
        void by(Program program, String path, int number) throws ErrnoException;
    }

    private Arbitrary<Call> onPath(String text, Arbitrary<Integer> numbers, OnPath how) {
        return Combinators.combine(who, path, numbers)
                .as((by, at, number) -> Call.silent(
                        by, "%s \"%s\" %s".formatted(text, at, octal(number)), program -> how.by(program, at, number)));
    }

    private Arbitrary<Call> nodes() {
        Arbitrary<Integer> types =
                Arbitraries.of(Stat.S_IFIFO, Stat.S_IFSOCK, Stat.S_IFREG, 0, Stat.S_IFCHR, Stat.S_IFDIR, Stat.S_IFLNK);
        Arbitrary<Integer> modes = modes(axes.setGroupIdAtBirth());
        return Combinators.combine(who, path, types, modes, Arbitraries.of(0, 0x103))
                .as((by, at, type, mode, device) -> Call.silent(
                        by,
                        "mknod \"%s\" %s device %x".formatted(at, octal(type | mode), device),
                        program -> program.mknod(at, type | mode, device)));
    }

    private Arbitrary<Call> symlinks() {
        Arbitrary<String> targets = Arbitraries.of(
                "a", "b", "c", "d", "d/a", "../a", "/d", "/e/b", "/", ".", "..", "d/", "a/.", "../e/b/", "new", "",
                "/c");
        return Combinators.combine(who, targets, path)
                .as((by, target, at) -> Call.silent(
                        by, "symlink \"%s\" \"%s\"".formatted(target, at), program -> program.symlink(target, at)));
    }

    private interface OnTwo {
        void by(Program program, String from, String to, int flags) throws ErrnoException;
    }

    private Arbitrary<Call> onTwo(String text, List<Integer> flags, OnTwo how) {
        return Combinators.combine(who, path, path, Arbitraries.of(flags))
                .as((by, from, to, with) -> Call.silent(
                        by,
                        "%s \"%s\" \"%s\" %d".formatted(text, from, to, with),
                        program -> how.by(program, from, to, with)));
    }

    private Arbitrary<Call> renames() {
        return onTwo("rename", List.of(0, 0, 0, 1, 2, 3, 4, 8), Program::rename);
    }

    /// Looking at files and changing their attributes.
    Arbitrary<Call> attributes() {
        return Arbitraries.oneOf(List.of(
                onPath("chmod", modes(true), Program::chmod),
                onPath("truncate", size, (program, at, length) -> program.truncate(at, length)),
                onPath("umask", Arbitraries.of(022, 0, 027, 0602), (program, _, mask) -> program.umask(mask)),
                chowns(),
                Combinators.combine(
                                who,
                                path,
                                Arbitraries.of(1L, 86_400L, 500_000_000L).injectNull(0.3),
                                Arbitraries.of(7L, 700_000_000L).injectNull(0.3))
                        .as((by, at, atime, mtime) -> Call.silent(
                                by,
                                "utimens \"%s\" %s %s".formatted(at, atime, mtime),
                                program -> program.utimens(at, atime, mtime))),
                looks()));
    }

    private Arbitrary<Call> chowns() {
        Arbitrary<Integer> ids = Arbitraries.of(0, Twins.USER_ID, Twins.GROUP, -1);
        return Combinators.combine(who, path, ids, ids, Arbitraries.of(true, false))
                .filter((by, _, uid, gid, _) -> uid != -1 || gid != -1 || axes.asksForNothing(by))
                .as((by, at, uid, gid, follow) -> Call.silent(
                        by,
                        "chown \"%s\" %d:%d %s".formatted(at, uid, gid, follow ? "" : "of a link itself"),
                        program -> program.chown(at, uid, gid, follow)));
    }

    private Arbitrary<Call> looks() {
        return Arbitraries.oneOf(List.of(
                looks("stat", (program, at) -> program.stat(at, true)),
                looks("lstat", (program, at) -> program.stat(at, false)),
                looks("readdir", Program::readdir),
                looks("readlink", Program::readlink)));
    }

    private interface Look {
        Object at(Program program, String path) throws ErrnoException;
    }

    private Arbitrary<Call> looks(String text, Look how) {
        return Combinators.combine(who, path)
                .as((by, at) -> Call.of(by, "%s \"%s\"".formatted(text, at), program -> how.at(program, at)));
    }

    /// Extended attributes.
    Arbitrary<Call> xattrs() {
        Arbitrary<String> attribute =
                Arbitraries.of("user.a", "user.b", "trusted.a", "security.a", "nonsense", "user.", "", "n".repeat(256));
        if (!axes.xattr()) { // EOPNOTSUPP, and what Linux checks before the file system
            attribute = Arbitraries.of("", "n".repeat(256));
        }
        Arbitrary<String> any = axes.capabilities()
                ? Arbitraries.frequencyOf(Tuple.of(3, attribute), Tuple.of(2, Arbitraries.just("security.capability")))
                : attribute;
        Arbitrary<Integer> flags = Arbitraries.of(0, 0, Fcntl.XATTR_CREATE, Fcntl.XATTR_REPLACE, 4);
        Arbitrary<String> actions = axes.xattr()
                ? Arbitraries.of("get", "set", "set", "list", "remove")
                : Arbitraries.of("get", "set", "remove");
        return Combinators.combine(who, path, any, flags, actions).as((by, at, key, with, what) -> {
            String text = "%sxattr \"%s\" \"%s\" %d".formatted(what, at, key, with);
            byte[] value = key.equals("security.capability") ? FILE_CAPABILITIES : key.getBytes();
            return switch (what) {
                case "get" -> Call.of(by, text, program -> program.getxattr(at, key));
                case "set" -> Call.silent(by, text, program -> program.setxattr(at, key, value, with));
                case "list" ->
                    Call.of(
                            by,
                            text,
                            program -> program.listxattr(at).stream()
                                    .filter(listed -> by == Twins.ROOT || !listed.startsWith("trusted."))
                                    .toList());
                default -> Call.silent(by, text, program -> program.removexattr(at, key));
            };
        });
    }
}
