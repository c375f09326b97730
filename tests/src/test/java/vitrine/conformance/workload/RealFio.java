package vitrine.conformance.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import vitrine.conformance.rules.Needs;

/// The fio of this machine.
record RealFio(int exit, String out) {

    static RealFio run(List<String> words) throws IOException, InterruptedException {
        Needs.tool("fio", "fio");
        List<String> command = new ArrayList<>(List.of("fio"));
        command.addAll(words);
        Process fio = new ProcessBuilder(command).redirectErrorStream(true).start();
        fio.getOutputStream().close();
        String out = new String(fio.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!fio.waitFor(30, TimeUnit.SECONDS)) {
            fio.destroyForcibly();
            throw new IOException("fio does not end: " + words);
        }
        return new RealFio(fio.exitValue(), out);
    }
}
