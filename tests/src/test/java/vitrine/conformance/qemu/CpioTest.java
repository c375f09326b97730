package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.Cpio;

/// The archive that a guest boots from, as another program reads it.
class CpioTest {

    @TempDir
    Path folder;

    @BeforeAll
    static void toolsAreThere() {
        Needs.tool("busybox", "busybox-static");
    }

    /// busybox unpacks what we packed: content of any length, modes, links, folders in between.
    ///
    /// Caught: padding by two bytes always; a name whose length did not count its NUL.
    @Test
    void anotherProgramUnpacksWhatWePacked() throws Exception {
        Cpio cpio = new Cpio();
        for (int length = 0; length < 9; length++) { // all the ways to pad
            cpio.file("a/b".repeat(length % 2 + 1) + "/file" + "x".repeat(length), 0640, new byte[length]);
        }
        byte[] text = "Vitrine\n".getBytes(StandardCharsets.UTF_8);
        cpio.file("run", 0755, text);
        cpio.link("lib/link", "../run");
        cpio.folder("empty");

        Process busybox = new ProcessBuilder("busybox", "cpio", "-i")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        busybox.getOutputStream().write(cpio.finish());
        busybox.getOutputStream().close();
        String said = new String(busybox.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(0, busybox.waitFor(), said);
        for (int length = 0; length < 9; length++) {
            Path file = folder.resolve("a/b".repeat(length % 2 + 1) + "/file" + "x".repeat(length));
            assertArrayEquals(new byte[length], Files.readAllBytes(file));
            assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        assertArrayEquals(text, Files.readAllBytes(folder.resolve("lib/link")));
        assertEquals(Path.of("../run"), Files.readSymbolicLink(folder.resolve("lib/link")));
        assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("run"))));
        assertEquals(0, folder.resolve("empty").toFile().list().length);
    }
}
