package vitrine.conformance.dax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.posix.HostKernel.SYS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import vitrine.dax.DaxPolicy;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.driver.BusErrorException;
import vitrine.guest.process.GuestProcess;
import vitrine.guest.process.ProgramMemory;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;

/// Two guests that go through the same history, one with a DAX window and one without; in the place
/// of the other's mappings there are some by mmap(2) on the host. Neither keeps anything that the
/// host may have changed.
///
/// Each file holds one letter and zeros, whatever is written to it: so a byte of another file is
/// seen wherever it turns up.
final class DaxTwins implements AutoCloseable {

    static final int SLOTS = 3;

    /// How many mappings are kept.
    static final int MAPPINGS = 2;

    /// As much of a file as is mapped, whatever is there of it.
    private static final long MAPPED = 4 * DaxGuest.RANGE;

    final DaxGuest dax;
    final TwinFolders folders = TwinFolders.make();
    private final PassthroughFs plainShare;
    private final Machine plain;
    private final GuestProcess plainProgram;
    private final int[][] fds = new int[2][SLOTS];
    private final boolean[] appends = new boolean[SLOTS]; // what is open: a pwrite of it appends, too
    private final int[] letters = new int[SLOTS]; // of what is open
    private final Fd[] onHost = new Fd[SLOTS]; // the same file of the plain share
    private final Kept[] kept = new Kept[MAPPINGS]; // null: none
    private final Map<String, Integer> named = new HashMap<>(); // letters
    private int lastLetter = 'A' - 1;

    DaxTwins(EndlessHost host, int ranges, MachineOptions options) throws Exception {
        PassthroughOptions asking = PassthroughOptions.DEFAULT.withCache(CachePolicy.NEVER);
        dax = new DaxGuest(
                new DaxGuest.Share(host.files::open, folders.dax(), ranges, asking.withDax(new DaxPolicy.Always())),
                options,
                Machine::stepped);
        plainShare = new PassthroughFs(SYS, folders.plain().toString(), asking);
        plain = Machine.stepped(plainShare, MachineOptions.DEFAULT);
        plainProgram = plain.rootProgram();
        Arrays.fill(fds[0], -1);
        Arrays.fill(fds[1], -1);
    }

    /// A mapping that outlives what is done to its file.
    private record Kept(ProgramMemory guest, HostMapping host, int letter) {}

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

    /// Two files that have something in several ranges, both mapped.
    void begin() throws ErrnoException {
        for (int i = 0; i < 2; i++) {
            open(i, i == 0 ? "a" : "b", 0);
            pwrite(i, 0, 5000);
            pwrite(i, 2 * DaxGuest.RANGE - 100, 5000);
            map(i, i);
        }
    }

    void open(int slot, String name, int flags) throws ErrnoException {
        close(slot);
        both((program, open) -> {
            open[slot] = program.open("/" + name, Fcntl.O_RDWR | Fcntl.O_CREAT | flags, 0600);
            return "open";
        });
        appends[slot] = (flags & Fcntl.O_APPEND) != 0;
        letters[slot] = named.computeIfAbsent(name, _ -> ++lastLetter);
        onHost[slot] = SYS.openPath(folders.plain().resolve(name).toString(), Fcntl.O_RDWR);
    }

    void close(int slot) {
        if (fds[0][slot] != -1) {
            onHost[slot].close();
            both((program, open) -> {
                program.close(open[slot]);
                open[slot] = -1;
                return "close";
            });
        }
    }

    /// Closes everything that is open or mapped.
    void closeAll() throws ErrnoException {
        for (int slot = 0; slot < SLOTS; slot++) {
            close(slot);
        }
        for (int at = 0; at < MAPPINGS; at++) {
            unmap(at);
        }
    }

    static byte[] filled(int letter, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) letter);
        return bytes;
    }

    void pwrite(int slot, long offset, int length) {
        both((program, open) -> program.pwrite(open[slot], filled(letters[slot], length), offset));
    }

    void append(int slot, int length) {
        both((program, open) -> program.write(open[slot], filled(letters[slot], length)));
    }

    void pread(int slot, long offset, int length) {
        Object bytes = both((program, open) -> program.pread(open[slot], length, offset));
        requireOwn(letters[slot], bytes);
    }

    /// Maps the file that is open in a slot, for longer.
    void map(int at, int slot) throws ErrnoException {
        unmap(at);
        if (fds[0][slot] != -1) {
            ProgramMemory guest = dax.program.mmap(fds[0][slot], 0, MAPPED, true);
            kept[at] = new Kept(guest, new HostMapping(SYS.dup(onHost[slot]), MAPPED), letters[slot]);
        }
    }

    void unmap(int at) throws ErrnoException {
        if (kept[at] != null) {
            kept[at].guest.close();
            kept[at].host.close();
            kept[at] = null;
        }
    }

    /// A load through a mapping that was made earlier, wherever its file ends by now.
    void load(int at, long offset, int length) {
        Kept mapping = kept[at];
        if (mapping != null) {
            Object bytes =
                    both((_, _) -> mapping.guest.load(offset, length), (_, _) -> mapping.host.load(offset, length));
            requireOwn(mapping.letter, bytes);
        }
    }

    /// A store through one, of what lies inside the file.
    void store(int at, long offset, int length) throws ErrnoException {
        Kept mapping = kept[at];
        if (mapping != null) {
            int inside = Math.clamp(mapping.host.size() - offset, 0, length);
            byte[] bytes = filled(mapping.letter, inside);
            both(
                    (_, _) -> {
                        mapping.guest.store(offset, bytes);
                        return "stored";
                    },
                    (_, _) -> {
                        mapping.host.store(offset, bytes);
                        return "stored";
                    });
        }
    }

    /// What somebody on the host does to a file; `letter` is the file's own.
    interface HostChange {
        void of(FileChannel file, int letter) throws IOException;
    }

    /// Somebody on the host changes a file; the guests look how long it is.
    void onHost(String name, HostChange change) throws IOException {
        Integer letter = named.get(name);
        if (letter != null) {
            folders.change(name, file -> change.of(file, letter));
            both((program, _) -> program.stat("/" + name).size());
        }
    }

    /// Somebody on the host puts another file in its place.
    void replaceOnHost(String name, int length) throws IOException {
        if (named.containsKey(name)) {
            named.put(name, ++lastLetter);
            folders.replace(name, filled(lastLetter, length));
        }
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

    private static void requireOwn(int letter, Object result) {
        if (result instanceof byte[] bytes) {
            for (byte one : bytes) {
                assertTrue(one == 0 || one == letter, "a byte of another file: " + (char) one);
            }
        }
    }

    @Override
    public void close() throws IOException, ErrnoException {
        try (dax;
                plainShare) {
            plain.close();
        } finally {
            folders.close();
        }
    }
}
