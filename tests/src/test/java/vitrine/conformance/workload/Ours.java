package vitrine.conformance.workload;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/// A command of ours, as a person uses it.
record Ours(int exit, String out, String err) {

    static Ours run(Callable<Integer> command, List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = new CommandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        line.setExecutionExceptionHandler((e, _, _) -> {
            err.write(e.getMessage());
            return 1;
        });
        int exit = line.execute(words.toArray(String[]::new));
        return new Ours(exit, out.toString(), err.toString());
    }
}
