package vitrine.guest.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import vitrine.guest.qemu.AtExit;

/// `perform.c`: performs steps where a real kernel is.
///
/// @param path where the compiled program is
record Interpreter(Path path) {

    /// Compiles it into a folder, with no need of libraries.
    static Interpreter compiled(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("perform.c");
        Path program = folder.resolve("perform");
        try (InputStream text = Interpreter.class.getResourceAsStream("perform.c")) {
            Files.copy(text, source);
        }
        try {
            output(new ProcessBuilder("gcc", "-static", "-O1", "-o", program.toString(), source.toString()), "");
        } catch (IOException e) {
            throw new IOException(
                    "a real kernel needs a C compiler for its programs (apt-get install gcc libc6-dev): "
                            + e.getMessage(),
                    e);
        }
        return new Interpreter(program);
    }

    /// What it reads: the programs' calls. Where FORGET is expected, a moment is left for it: if a
    /// reply leads to it (before Linux 6.12 nobody waits for that of RELEASE) it is a little later.
    static String script(List<Program> programs, Client client) {
        StringBuilder script = new StringBuilder();
        for (Program program : programs) {
            script.append("program\n");
            for (Step step : program.steps().stream().filter(Step::isCall).toList()) {
                boolean forgets = step.expected(client).requests().toString().contains("FORGET");
                script.append(forgets ? "wait " : "").append(step.call()).append('\n');
            }
            script.append("end\n");
        }
        return script.toString();
    }

    /// Performs one in a directory of this host.
    void run(Program program, Client client, Path directory) throws IOException, InterruptedException {
        output(new ProcessBuilder(path.toString(), directory.toString()), script(List.of(program), client));
    }

    private static void output(ProcessBuilder command, String input) throws IOException, InterruptedException {
        Process process = command.redirectErrorStream(true).start();
        try (AtExit _ = AtExit.end(process)) {
            try (var out = process.getOutputStream()) {
                out.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(command.command().getFirst() + " says: " + said.strip());
            }
        }
    }
}
