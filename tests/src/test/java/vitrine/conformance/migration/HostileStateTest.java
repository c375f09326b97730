package vitrine.conformance.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static vitrine.conformance.migration.MovedGuest.SYS;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.process.GuestProcess;
import vitrine.migration.CannotMoveException;
import vitrine.migration.MigrationOptions;
import vitrine.migration.StateReader;
import vitrine.migration.StateRecord;
import vitrine.migration.StateWriter;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Timespec;
import vitrine.wire.MalformedException;

/// A state that nobody can have meant. It comes from the front end, and is a claim from the first
/// byte to the last.
class HostileStateTest {

    private static final StateRecord.Session SESSION = new StateRecord.Session(38, 0, 10, 10, 1);

    @TempDir
    Path host;

    /// Whatever is cut off, added or changed in a state, it is refused, and nothing of it is held.
    ///
    /// Seen to catch: StateReader without the checksum; without looking for what comes after it.
    @Test
    void aStateThatWasCutOrChangedIsRefused() throws Exception {
        byte[] state = state();
        try (PassthroughFs target = share()) {
            load(target, state); // as it is, it is good
            for (int length = 0; length < state.length; length++) {
                refused(target, Arrays.copyOf(state, length));
            }
            refused(target, Arrays.copyOf(state, state.length + 1));
            Random random = new Random(7);
            for (int i = 0; i < 500; i++) {
                byte[] changed = state.clone();
                changed[random.nextInt(state.length)] ^= (byte) (1 << random.nextInt(8));
                refused(target, changed);
            }
        }
    }

    private byte[] state() throws Exception {
        Files.writeString(host.resolve("file"), "text");
        try (PassthroughFs source = share()) {
            Machine machine = Machine.stepped(source, MachineOptions.DEFAULT);
            GuestProcess program = machine.rootProgram();
            program.open("/file", Fcntl.O_RDONLY);
            ByteArrayOutputStream state = new ByteArrayOutputStream();
            source.save(new StateWriter(state));
            machine.close();
            return state.toByteArray();
        }
    }

    /// Records whose checksum is right and whose content is a lie: nodeids and handles that were
    /// never told, twice the same, counters that would overflow, no session, two of them.
    ///
    /// Seen to catch: Arrival without each of its checks.
    @Test
    void recordsThatLieAreRefused() throws Exception {
        StateRecord.File file = file(2, "file");
        StateRecord.Open open = new StateRecord.Open(3, 2, false, 0, false);
        Files.writeString(host.resolve("file"), "text");
        try (PassthroughFs target = share()) {
            load(target, state(SESSION, file, open)); // this one is good
            StateRecord[][] lies = {
                {},
                {file},
                {SESSION, SESSION},
                {SESSION, file, file},
                {SESSION, file, open, open},
                {SESSION, file(1, "file")},
                {SESSION, file(11, "file")},
                {SESSION, file(-1, "file")},
                {SESSION, file, new StateRecord.Open(11, 2, false, 0, false)},
                {SESSION, file, new StateRecord.Open(0, 2, false, 0, false)},
                {new StateRecord.Session(38, 0, -1, 10, 1)},
                {new StateRecord.Session(38, 0, 10, Long.MAX_VALUE, 1)},
                {new StateRecord.Session(38, -1, 10, 10, 1)},
                {new StateRecord.Session(5, 0, 10, 10, 1)},
                {new StateRecord.Session(0, 0, 10, 10, 1), file},
                {SESSION, new StateRecord.File(2, -1, file.type(), file.birth(), file.path(), null)}
            };
            for (StateRecord[] lie : lies) {
                refused(target, state(lie));
            }
        }
    }

    /// No path leads out of the share, and no symbolic link on the way is followed; a directory is
    /// no file.
    ///
    /// Seen to catch: HostPaths.openIn without Names.checked, without O_NOFOLLOW; Arrival.same not
    /// comparing types.
    @Test
    void noPathLeadsOut() throws Exception {
        Path share = Files.createDirectory(host.resolve("share"));
        Files.writeString(host.resolve("secret"), "secret");
        Files.createDirectory(share.resolve("dir"));
        Files.createSymbolicLink(share.resolve("link"), host);
        Files.createSymbolicLink(share.resolve("file"), host.resolve("secret"));
        try (PassthroughFs target = new PassthroughFs(SYS, share.toString(), PassthroughOptions.DEFAULT)) {
            for (String path : List.of(
                    "../secret",
                    "dir/../../secret",
                    "/etc/passwd",
                    "link/secret",
                    "file",
                    "dir",
                    "",
                    ".",
                    "dir/",
                    "a\0b")) {
                CannotMoveException refused = assertThrows(
                        CannotMoveException.class, () -> load(target, state(SESSION, file(2, path))), path);
                assertTrue(refused.getMessage().startsWith("1 of its files is not found"), refused::getMessage);
            }
        }
    }

    /// A file handle can lead to any file of the file system, whatever is shared. Only who starts
    /// the daemon may allow that.
    ///
    /// Seen to catch: Arrival.find opening each handle.
    @Test
    void aHandleIsOpenedOnlyIfTheDaemonWasToldTo() throws Exception {
        Needs.root();
        Path share = Files.createDirectory(host.resolve("share"));
        Path secret = Files.writeString(host.resolve("secret"), "secret");
        StateRecord.File file;
        try (Fd fd = SYS.openPath(secret.toString(), Fcntl.O_PATH)) {
            Timespec birth = SYS.statx(fd, Stat.STATX_BTIME).btime();
            file = new StateRecord.File(2, 1, Stat.S_IFREG, birth, null, SYS.fileHandle(fd));
        }
        MigrationOptions anyway = new MigrationOptions(
                MigrationOptions.Mode.FIND_PATHS, MigrationOptions.OnError.GUEST_ERROR, false, false);
        PassthroughOptions options = PassthroughOptions.DEFAULT.withMigration(anyway);
        try (PassthroughFs target = new PassthroughFs(SYS, share.toString(), options)) {
            load(target, state(SESSION, file));

            assertEquals("not one", held(target));
        }
    }

    /// What a daemon holds, in the words of its own state.
    private static String held(PassthroughFs fs) throws Exception {
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        fs.save(new StateWriter(state));
        StateReader in = new StateReader(new ByteArrayInputStream(state.toByteArray()));
        in.next();
        return in.next().isPresent() ? "some" : "not one";
    }

    private static StateRecord.File file(long nodeid, String path) {
        return new StateRecord.File(
                nodeid, 1, Stat.S_IFREG, new Timespec(0, 0), path.getBytes(StandardCharsets.UTF_8), null);
    }

    private static byte[] state(StateRecord... records) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StateWriter out = new StateWriter(bytes);
        for (StateRecord record : records) {
            out.write(record);
        }
        out.end();
        return bytes.toByteArray();
    }

    private PassthroughFs share() throws Exception {
        return new PassthroughFs(SYS, host.toString(), PassthroughOptions.DEFAULT);
    }

    private static void load(PassthroughFs target, byte[] state) throws Exception {
        target.load(new StateReader(new ByteArrayInputStream(state)));
    }

    private static void refused(PassthroughFs target, byte[] state) throws Exception {
        try {
            load(target, state);
        } catch (MalformedException | CannotMoveException _) {
            assertEquals("not one", held(target));
            return;
        }
        throw new AssertionError("was taken: " + state.length + " bytes");
    }
}
