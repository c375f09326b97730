package vitrine.conformance.bridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import vitrine.conformance.qemu.SourceTree;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.Opcode;
import vitrine.guest.Device;
import vitrine.guest.bridge.Bridge;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;

/// This host's kernel as the guest's kernel: what programs do on the mount is what they would have
/// done on the shared directory, and nothing of theirs leaves the bridge hanging.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class BridgeTest extends MountedFolder {

    private static final long ENDS_WITHIN = 60;

    private final List<Opcode> asked = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void mount() throws Exception {
        mount(PassthroughOptions.DEFAULT.with(Feature.XATTR), request -> asked.add(request.opcode()), 2);
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String run(String... command) throws Exception {
        Process process = start(command);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(ENDS_WITHIN, TimeUnit.SECONDS), () -> "does not end: " + List.of(command));
        assertEquals(0, process.exitValue(), () -> List.of(command) + ": " + output);
        return output;
    }

    private static byte[] archive(Path tree) throws Exception {
        Process tar = start("tar", "--sort=name", "--numeric-owner", "-C", tree.toString(), "-cf", "-", "tree");
        byte[] bytes = tar.getInputStream().readAllBytes();
        assertEquals(0, tar.waitFor(), () -> new String(bytes, StandardCharsets.UTF_8));
        return bytes;
    }

    /// A source tree unpacked through the mount is, read through the mount and on the host, the one
    /// that tar makes on the host: names, modes, owners, links, times, contents.
    ///
    /// Seen to catch: data of a WRITE that starts at the wrong byte of a slot.
    @Test
    void aTreeIsTheSameThroughTheMount() throws Exception {
        Needs.tool("tar", "tar");
        Path archive = Files.write(folder.resolve("tree.tar"), SourceTree.tar(7));
        Path twin = Files.createDirectory(folder.resolve("twin"));

        run("tar", "-xpf", archive.toString(), "-C", mountPoint.toString());
        run("tar", "-xpf", archive.toString(), "-C", twin.toString());

        byte[] expected = archive(twin);
        assertArrayEquals(expected, archive(mountPoint));
        assertArrayEquals(expected, archive(share));
        run("rm", "-rf", mountPoint.resolve("tree").toString());
        assertTrue(Files.notExists(share.resolve("tree")));
    }

    /// Many requests at a time, read and written at random, some by memory mapping: every block is
    /// read back as it was written.
    ///
    /// Seen to catch: a slot given back before its reply was read.
    @Test
    void fioReadsBackWhatItHasWritten() throws Exception {
        Needs.tool("fio", "fio");
        for (String engine : List.of("libaio", "mmap")) {
            run(
                    "fio",
                    "--name=verify",
                    "--filename=" + mountPoint.resolve(engine),
                    "--ioengine=" + engine,
                    "--iodepth=32",
                    "--bs=4k",
                    "--size=8M",
                    "--rw=randrw",
                    "--verify=crc32c",
                    "--verify_fatal=1",
                    "--verify_state_save=0",
                    "--direct=" + (engine.equals("libaio") ? 1 : 0));
        }
    }

    /// More programs at once than there are slots; each gets its own bytes.
    @Test
    void moreProgramsThanSlots() throws Exception {
        List<Process> programs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Path file = mountPoint.resolve("f" + i);
            programs.add(start("sh", "-c", "echo " + i + " > '" + file + "' && cat '" + file + "'"));
        }

        for (int i = 0; i < programs.size(); i++) {
            Process program = programs.get(i);
            String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, program.waitFor(), output);
            assertEquals(i + "\n", output);
        }
    }

    /// A program that is killed while its requests are under way takes nothing with it: Linux'
    /// INTERRUPT is refused, the reply comes as ever, and the others go on.
    @Test
    void killedProgramsLeaveNothingBehind() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<Process> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                writers.add(start("dd", "if=/dev/zero", "of=" + mountPoint.resolve("w" + i), "bs=1M", "count=64"));
            }
            TimeUnit.MILLISECONDS.sleep(10L * round);
            writers.forEach(Process::destroyForcibly);
            for (Process writer : writers) {
                assertTrue(writer.waitFor(ENDS_WITHIN, TimeUnit.SECONDS));
            }
        }

        assertEquals("alive\n", run("sh", "-c", "echo alive > '" + mountPoint + "/f'; cat '" + mountPoint + "/f'"));
        assertEquals("alive\n", Files.readString(share.resolve("f")));
    }

    /// Who unmounts from outside ends the bridge, which says DESTROY in Linux' stead: what the
    /// guest held is given back.
    ///
    /// Seen to catch: no DESTROY.
    @Test
    void anUnmountFromOutsideEndsIt() throws Exception {
        Files.writeString(mountPoint.resolve("f"), "x");

        run("umount", mountPoint.toString());

        bridge.await();
        bridge.close();
        assertEquals(Opcode.INIT, asked.getFirst());
        assertEquals(Opcode.DESTROY, asked.getLast());
        try (var left = Files.list(mountPoint)) {
            assertEquals(0, left.count());
        }
    }

    /// Closing while a program has a file open does not wait for it: it gets an error.
    @Test
    void whoStaysIsCutOff() throws Exception {
        Process reader = start("sh", "-c", "exec 3> '" + mountPoint + "/f'; echo ready; read go; echo x >&3");
        assertEquals('r', reader.getInputStream().read());

        bridge.close();

        reader.getOutputStream().write("go\n".getBytes(StandardCharsets.US_ASCII));
        reader.getOutputStream().flush();
        String output = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(output.contains("I/O error"), output);
    }

    /// A daemon that dies under way: programs get an error instead of waiting for ever, and do not
    /// write into the directory that lies beneath; the bridge says why it ended.
    ///
    /// Seen to catch: unmounting instead of aborting.
    @Test
    void aDaemonThatDiesEndsTheMount() throws Exception {
        String virtiofsd = "/usr/lib/qemu/virtiofsd";
        Needs.file(virtiofsd, "apt-get install qemu-system-common (Debian 12)");
        Path socket = folder.resolve("socket");
        Path other = Files.createDirectory(folder.resolve("other"));
        Process daemon = start(virtiofsd, "--socket-path=" + socket, "-o", "source=" + share, "-o", "sandbox=chroot");
        while (!Files.exists(socket)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        TimeUnit.MILLISECONDS.sleep(200); // bind comes before listen
        Bridge second = Bridge.mount(Device.connect(socket, Bridge.options()), Bridge.options(), other, SYS, 1);
        Files.writeString(other.resolve("f"), "x");

        daemon.destroyForcibly().waitFor();

        assertTrue(assertThrows(IllegalStateException.class, second::await)
                .getMessage()
                .contains("gone"));
        assertThrows(IOException.class, () -> Files.writeString(other.resolve("g"), "x"));
        second.close();
        try (var beneath = Files.list(other)) {
            assertEquals(0, beneath.count());
        }
    }
}
