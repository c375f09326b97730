package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import vitrine.conformance.posix.HostKernel;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.process.GuestProcess;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Two guests that go through the same history, one with a DAX window and one without.
///
/// Each file holds one letter and zeros, whatever is written to it: so a byte of another file is
/// seen wherever it turns up.
final class DaxTwins implements AutoCloseable {

    static final int SLOTS = 3;

    private static final int PAGE = 4096;

    final DaxGuest dax;
    private final PassthroughFs plainShare;
    private final Machine plain;
    private final GuestProcess plainProgram;
    private final Path directory;
    private final int[][] fds = new int[2][SLOTS];
    private final boolean[] appends = new boolean[SLOTS]; // what is open: a pwrite of it appends, too
    private final int[] letters = new int[SLOTS]; // of what is open
    private final Map<String, Integer> named = new HashMap<>(); // letters
    private int lastLetter = 'A' - 1;

    DaxTwins(EndlessHost host, int ranges, MachineOptions options) throws Exception {
        directory = Files.createTempDirectory("dax-twins");
        Path first = Files.createDirectory(directory.resolve("dax"));
        Path second = Files.createDirectory(directory.resolve("plain"));
        dax = new DaxGuest(DaxGuest.Share.of(host, first, ranges), options, Machine::stepped);
        plainShare = new PassthroughFs(HostKernel.SYS, second.toString(), PassthroughOptions.DEFAULT);
        plain = Machine.stepped(plainShare, MachineOptions.DEFAULT);
        plainProgram = plain.rootProgram();
        Arrays.fill(fds[0], -1);
        Arrays.fill(fds[1], -1);
    }

    /// What one of the programs does.
    interface Call {
        Object by(GuestProcess program, int[] open) throws ErrnoException, BusErrorException;
    }

    /// Makes a call on both sides, which must come out the same.
    private Object both(Call onDax, Call onPlain) {
        Object expected = outcome(plainProgram, fds[1], onPlain);
        Object got = outcome(dax.program, fds[0], onDax);
        if (expected instanceof byte[] bytes && got instanceof byte[] other) {
            assertArrayEquals(bytes, other);
        } else {
            assertEquals(expected, got);
        }
        return got;
    }

    private Object both(Call call) {
        return both(call, call);
    }

    private static Object outcome(GuestProcess program, int[] open, Call call) {
        try {
            return call.by(program, open);
        } catch (ErrnoException e) {
            return Errno.name(e.errno());
        } catch (BusErrorException _) {
            return "SIGBUS";
        }
    }

    void open(int slot, String name, int flags) {
        close(slot);
        both((program, open) -> {
            open[slot] = program.open("/" + name, Fcntl.O_RDWR | Fcntl.O_CREAT | flags, 0600);
            return "open";
        });
        appends[slot] = (flags & Fcntl.O_APPEND) != 0;
        letters[slot] = named.computeIfAbsent(name, _ -> ++lastLetter);
    }

    void close(int slot) {
        if (fds[0][slot] != -1) {
            both((program, open) -> {
                program.close(open[slot]);
                open[slot] = -1;
                return "close";
            });
        }
    }

    private byte[] data(int slot, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) letters[slot]);
        return bytes;
    }

    void pwrite(int slot, long offset, int length) {
        both((program, open) -> program.pwrite(open[slot], data(slot, length), offset));
    }

    void append(int slot, int length) {
        both((program, open) -> program.write(open[slot], data(slot, length)));
    }

    void pread(int slot, long offset, int length) {
        Object bytes = both((program, open) -> program.pread(open[slot], length, offset));
        requireOwn(slot, bytes);
    }

    /// A load through a shared mapping; without a window it is a pread, and zeros to the end of the
    /// page.
    void load(int slot, long offset, int length) {
        Object bytes = both(
                (program, open) -> {
                    try (var mapping = program.mmap(open[slot], 0, offset + length, false)) {
                        return mapping.load(offset, length);
                    }
                },
                (program, open) -> {
                    long size = program.fstat(open[slot]).size();
                    if (offset + length > (size + PAGE - 1) / PAGE * PAGE) {
                        throw new BusErrorException("behind the end");
                    }
                    return Arrays.copyOf(program.pread(open[slot], length, offset), length);
                });
        requireOwn(slot, bytes);
    }

    /// A store through a shared mapping, of what lies inside the file.
    void store(int slot, long offset, int length) {
        if (appends[slot]) {
            return;
        }
        both(
                (program, open) -> {
                    long inside = Math.clamp(program.fstat(open[slot]).size() - offset, 0, length);
                    try (var mapping = program.mmap(open[slot], 0, offset + length, true)) {
                        mapping.store(offset, data(slot, (int) inside));
                    }
                    return "stored";
                },
                (program, open) -> {
                    long inside = Math.clamp(program.fstat(open[slot]).size() - offset, 0, length);
                    program.pwrite(open[slot], data(slot, (int) inside), offset);
                    return "stored";
                });
    }

    void truncate(int slot, long size) {
        both((program, open) -> {
            program.ftruncate(open[slot], size);
            return "truncated";
        });
    }

    void fallocate(int slot, int mode, long offset, int length) {
        both((program, open) -> {
            program.fallocate(open[slot], mode, offset, length);
            return "allocated";
        });
    }

    void unlink(String name) {
        both((program, _) -> {
            program.unlink("/" + name);
            return "unlinked";
        });
        named.remove(name);
    }

    void rename(String from, String to) {
        Object done = both((program, _) -> {
            program.rename("/" + from, "/" + to);
            return "renamed";
        });
        if (done.equals("renamed") && !from.equals(to)) {
            named.put(to, named.remove(from));
        }
    }

    private void requireOwn(int slot, Object result) {
        if (result instanceof byte[] bytes) {
            for (byte one : bytes) {
                assertTrue(one == 0 || one == letters[slot], "a byte of another file: " + (char) one);
            }
        }
    }

    /// Both directories hold the same files, and the guest, the daemon and the front end agree on
    /// what is in the window.
    void requireSame() throws Exception {
        assertEquals(names("plain"), names("dax"));
        for (String name : names("dax").split(" ")) {
            if (!name.isEmpty()) {
                Path file = directory.resolve("dax").resolve(name);
                assertEquals(-1, Files.mismatch(file, directory.resolve("plain").resolve(name)), name);
            }
        }
    }

    private String names(String side) throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve(side))) {
            return String.join(
                    " ",
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Override
    public void close() throws IOException, ErrnoException {
        try (dax;
                plainShare) {
            plain.close();
        } finally {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.toList().reversed()) {
                    Files.delete(path);
                }
            }
        }
    }
}
