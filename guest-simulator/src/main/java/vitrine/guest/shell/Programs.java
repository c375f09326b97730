package vitrine.guest.shell;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.Kstatfs;
import vitrine.fuse.struct.Statx;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Stat;

/// The programs of the shell: small ones, each a few system calls, in the manner of busybox.
final class Programs {

    private static final int CHUNK = 64 * 1024;

    private Programs() {}

    /// A program: arguments in, text out.
    @FunctionalInterface
    private interface Program {
        String run(GuestProcess process, Arguments arguments) throws ErrnoException;
    }

    private record Entry(String usage, Program program) {}

    private static final Map<String, Entry> ALL = new TreeMap<>();

    static {
        add("cat FILE...", Programs::cat);
        add("chattr +LETTERS|-LETTERS FILE", FlagLetters::chattr);
        add(
                "cd [DIR]",
                (process, arguments) -> nothing(() -> process.chdir(logical(process.getcwd(), arguments.at(0, "/")))));
        add(
                "chmod MODE FILE",
                (process, arguments) ->
                        nothing(() -> process.chmod(arguments.at(1), Integer.parseInt(arguments.at(0), 8))));
        add("chown UID[:GID] FILE", Programs::chown);
        add("cp FROM TO", Programs::copy);
        add("dd [if=FILE] of=FILE [bs=N] [count=N] [seek=N]", Programs::dd);
        add("df", Programs::df);
        add("echo WORD... [> FILE, >> FILE]", (_, arguments) -> String.join(" ", arguments.words()) + "\n");
        add("fallocate -l LENGTH FILE", Programs::fallocate);
        add("getfattr [NAME] FILE", Programs::getfattr);
        add("help", (_, _) -> help());
        add("id", Programs::id);
        add("ln [-s] TARGET NAME", Programs::link);
        add("ls [-l] [PATH]", Programs::list);
        add("lsattr FILE", FlagLetters::lsattr);
        add("mkdir DIR", (process, arguments) -> nothing(() -> process.mkdir(arguments.at(0), 0777)));
        add(
                "mkfifo NAME",
                (process, arguments) -> nothing(() -> process.mknod(arguments.at(0), Stat.S_IFIFO | 0666, 0)));
        add("mv FROM TO", (process, arguments) -> nothing(() -> process.rename(arguments.at(0), arguments.at(1))));
        add("pwd", (process, _) -> process.getcwd() + "\n");
        add("readlink NAME", (process, arguments) -> process.readlink(arguments.at(0)) + "\n");
        add("rm FILE", (process, arguments) -> nothing(() -> process.unlink(arguments.at(0))));
        add("rmdir DIR", (process, arguments) -> nothing(() -> process.rmdir(arguments.at(0))));
        add(
                "setfattr NAME VALUE FILE",
                (process, arguments) -> nothing(() -> process.setxattr(
                        arguments.at(2), arguments.at(0), arguments.at(1).getBytes(StandardCharsets.UTF_8), 0)));
        add("stat PATH", Programs::stat);
        add("su UID[:GID]", null);
        add("sync", (process, _) -> nothing(process::sync));
        add("touch FILE", Programs::touch);
        add("trace on|brief|rings|off", null);
        add(
                "truncate -s SIZE FILE",
                (process, arguments) -> nothing(() -> process.truncate(arguments.at(0), arguments.number("-s"))));
        add("umask [MODE]", Programs::umask);
        add("exit", null);
    }

    /// The names of all programs.
    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /// Runs a program.
    ///
    /// @return what it prints
    /// @throws IllegalArgumentException if there is no such program, or it is called wrongly
    static String run(String name, GuestProcess process, List<String> words) throws ErrnoException {
        Entry entry = ALL.get(name);
        if (entry == null || entry.program() == null) {
            throw new IllegalArgumentException("no such command; 'help' lists them");
        }
        try {
            return entry.program().run(process, new Arguments(words));
        } catch (IndexOutOfBoundsException | NumberFormatException _) {
            throw new IllegalArgumentException("usage: " + entry.usage());
        }
    }

    private static void add(String usage, Program program) {
        ALL.put(usage.split(" ")[0], new Entry(usage, program));
    }

    private static String help() {
        return ALL.values().stream().map(entry -> "  " + entry.usage() + "\n").collect(Collectors.joining());
    }

    private static String cat(GuestProcess process, Arguments arguments) throws ErrnoException {
        StringBuilder text = new StringBuilder();
        arguments.at(0);
        for (String path : arguments.all()) {
            int fd = process.open(path, Fcntl.O_RDONLY);
            try {
                for (byte[] chunk = process.read(fd, CHUNK); chunk.length > 0; chunk = process.read(fd, CHUNK)) {
                    text.append(new String(chunk, StandardCharsets.UTF_8));
                }
            } finally {
                process.close(fd);
            }
        }
        return text.toString();
    }

    /// Where `cd` leads: as in other shells, `..` takes the last name off again, link or not.
    private static String logical(String from, String path) {
        String joined = path.startsWith("/") ? path : from + "/" + path;
        return Path.of(joined).normalize().toString();
    }

    private static String chown(GuestProcess process, Arguments arguments) throws ErrnoException {
        String[] ids = arguments.at(0).split(":", -1);
        int uid = ids[0].isEmpty() ? -1 : Integer.parseUnsignedInt(ids[0]);
        int gid = ids.length < 2 || ids[1].isEmpty() ? -1 : Integer.parseUnsignedInt(ids[1]);
        process.chown(arguments.at(1), uid, gid);
        return "";
    }

    private static String copy(GuestProcess process, Arguments arguments) throws ErrnoException {
        int from = process.open(arguments.at(0), Fcntl.O_RDONLY);
        try {
            int mode = process.fstat(from).mode() & 0777;
            int to = process.open(arguments.at(1), Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_TRUNC, mode);
            try {
                long at = 0;
                for (long n = CHUNK; n > 0; at += n) {
                    n = process.copyFileRange(from, at, to, at, 1L << 30);
                }
            } finally {
                process.close(to);
            }
        } finally {
            process.close(from);
        }
        return "";
    }

    private static String dd(GuestProcess process, Arguments arguments) throws ErrnoException {
        int block = (int) arguments.size("bs", 512);
        long count = arguments.size("count", 1);
        long seek = arguments.size("seek", 0);
        String source = arguments.value("if", "");
        int from = source.isEmpty() || source.equals("/dev/zero") ? -1 : process.open(source, Fcntl.O_RDONLY);
        try {
            int to = process.open(arguments.value("of", null), Fcntl.O_WRONLY | Fcntl.O_CREAT, 0666);
            try {
                long written = 0;
                for (long i = 0; i < count; i++) {
                    byte[] bytes = from < 0 ? new byte[block] : process.read(from, block);
                    if (bytes.length == 0) {
                        break;
                    }
                    written += process.pwrite(to, bytes, (seek + i) * block);
                }
                return written + " bytes written\n";
            } finally {
                process.close(to);
            }
        } finally {
            if (from >= 0) {
                process.close(from);
            }
        }
    }

    private static String df(GuestProcess process, Arguments arguments) throws ErrnoException {
        Kstatfs st = process.statfs(arguments.at(0, "."));
        long unit = Integer.toUnsignedLong(st.frsize());
        return "size %,d  free %,d bytes  inodes free %,d%n"
                .formatted(st.blocks() * unit, st.bavail() * unit, st.ffree());
    }

    private static String fallocate(GuestProcess process, Arguments arguments) throws ErrnoException {
        int fd = process.open(arguments.at(0), Fcntl.O_WRONLY | Fcntl.O_CREAT, 0666);
        try {
            process.fallocate(fd, 0, 0, arguments.number("-l"));
        } finally {
            process.close(fd);
        }
        return "";
    }

    private static String getfattr(GuestProcess process, Arguments arguments) throws ErrnoException {
        return arguments.all().size() == 1
                ? lines(process.listxattr(arguments.at(0)))
                : new String(process.getxattr(arguments.at(1), arguments.at(0)), StandardCharsets.UTF_8) + "\n";
    }

    private static String id(GuestProcess process, Arguments arguments) {
        return "uid " + process.task().uid() + ", gid " + process.task().gid() + ", capabilities "
                + (process.task().capabilities().isEmpty()
                        ? "none"
                        : process.task().capabilities()) + "\n";
    }

    private static String link(GuestProcess process, Arguments arguments) throws ErrnoException {
        if (arguments.flag("-s")) {
            process.symlink(arguments.at(0), arguments.at(1));
        } else {
            process.link(arguments.at(0), arguments.at(1));
        }
        return "";
    }

    private static String list(GuestProcess process, Arguments arguments) throws ErrnoException {
        String path = arguments.at(0, ".");
        boolean details = arguments.flag("-l");
        List<String> names = new ArrayList<>();
        if (Stat.isDirectory(process.stat(path).mode())) {
            process.readdir(path).stream().map(DirectoryEntry::name).sorted().forEach(names::add);
            names.removeIf(name -> name.equals(".") || name.equals(".."));
        } else {
            return line(path, process.lstat(path)) + "\n";
        }
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(details ? line(name, process.lstat(path + "/" + name)) : name)
                    .append('\n');
        }
        return text.toString();
    }

    private static String line(String name, Attr attr) {
        return "%s %2d %5d %5d %9d %s"
                .formatted(Modes.text(attr.mode()), attr.nlink(), attr.uid(), attr.gid(), attr.size(), name);
    }

    private static String stat(GuestProcess process, Arguments arguments) throws ErrnoException {
        Attr attr = process.lstat(arguments.at(0));
        Statx stat = process.statx(arguments.at(0));
        boolean born = (stat.mask() & Stat.STATX_BTIME) != 0;
        return line(arguments.at(0), attr)
                + "\n  inode %d  blocks %d  mtime %d.%09d  birth %s%n"
                        .formatted(
                                attr.ino(),
                                attr.blocks(),
                                attr.mtime(),
                                attr.mtimensec(),
                                born
                                        ? "%d.%09d"
                                                .formatted(
                                                        stat.btime().tvSec(),
                                                        stat.btime().tvNsec())
                                        : "unknown");
    }

    private static String touch(GuestProcess process, Arguments arguments) throws ErrnoException {
        process.close(process.open(arguments.at(0), Fcntl.O_WRONLY | Fcntl.O_CREAT, 0666));
        process.utimens(arguments.at(0), null, null);
        return "";
    }

    private static String umask(GuestProcess process, Arguments arguments) {
        if (arguments.all().isEmpty()) {
            return "%03o%n".formatted(process.task().umask());
        }
        process.umask(Integer.parseInt(arguments.at(0), 8));
        return "";
    }

    private static String lines(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /// What a program does that prints nothing.
    @FunctionalInterface
    private interface Silent {
        void run() throws ErrnoException;
    }

    private static String nothing(Silent silent) throws ErrnoException {
        silent.run();
        return "";
    }
}
