package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import vitrine.conformance.daemon.JarredClassPath;
import vitrine.conformance.rules.Needs;
import vitrine.guest.command.Vitrine;

/// Commands of somebody who is not root: what needs no root works, and what does says so.
@Timeout(60)
class UnprivilegedTest {

    private static final String NOBODY = "65534";
    /// The command lines, and what is to be found in what they say, behind their exit status.
    private static final Map<String, String> LINES = new LinkedHashMap<>();

    static {
        LINES.put("fio --name=x --size=64k --rw=randwrite", "0 .*WRITE: bw=.*");
        LINES.put("workload create --count=10", "0 create in Linux 6.1: 10 times .*");
        LINES.put("experiment gather --rounds=0", "0 .*page by page .*");
        LINES.put("experiment matrix --rounds=0", "1 .*matrix: .* takes root; killpriv .*");
        LINES.put("experiment append --rounds=0", "1 .*a DAX window takes root.*");
        LINES.put("experiment killpriv --guest=bridge --rounds=0", "0 .*off .*on .*"); // nothing is mounted
        LINES.put("experiment killpriv --guest=bridge", "1 .*mounts, which only root may.*");
        LINES.put("program stat-twice", "1 .*needs root: its files and its callers are several users'.*");
        LINES.put("compare --only=GETATTR", "1 .*--daemon=c .* takes root; ours takes none.*");
        LINES.put("hostile --daemon=rust", "1 \\S+ hostile: --daemon=rust .* takes root.*"); // and no head of a table
        LINES.put("fio --daemon=c --name=x --size=64k --rw=read", "1 .*--daemon=c .* takes root.*");
    }

    @TempDir
    private Path folder;

    /// Caught: matrix with "CREATE: EPERM"; the C daemon's own words about its pid file.
    @Test
    void whatNeedsRootSaysSoAndEverythingElseWorks() throws Exception {
        Needs.root();
        Needs.tool("setpriv", "util-linux");
        Needs.that(
                Files.isExecutable(Path.of("/usr/lib/qemu/virtiofsd")),
                "needs QEMU's virtiofsd: apt-get install qemu-system-common");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                JarredClassPath.copiedTo(folder),
                Several.class.getName()));
        command.addAll(LINES.keySet());

        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD) // the daemon's log
                .start();
        List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertEquals(LINES.size(), said.size(), said::toString);
        int place = 0;
        for (var line : LINES.entrySet()) {
            String answer = said.get(place++);
            assertTrue(answer.matches(line.getValue()), line.getKey() + ": " + answer);
        }
    }

    /// Command lines, one after the other: of each a line with its exit status and what it said.
    static final class Several {

        private Several() {}

        public static void main(String... lines) {
            for (String line : lines) {
                StringWriter said = new StringWriter();
                CommandLine vitrine = Vitrine.commandLine();
                List.of(vitrine.getSubcommands().get(line.split(" ")[0]), vitrine)
                        .forEach(each -> each.setOut(new PrintWriter(said)).setErr(new PrintWriter(said)));
                int exit = vitrine.execute(line.split(" "));
                System.out.println(exit + " " + said.toString().replace('\n', ' '));
            }
        }
    }
}
