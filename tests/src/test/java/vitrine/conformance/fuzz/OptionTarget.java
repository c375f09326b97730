package vitrine.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import vitrine.daemon.Main;

/// A command line, an argument in each line, that asks for help as well, so that no daemon starts.
final class OptionTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) {
        List<String> arguments = new ArrayList<>(List.of("--help"));
        new String(input, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("@")) // a file with more arguments
                .forEach(arguments::add);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);

        int exitCode = Main.run(print, print, arguments.toArray(String[]::new));

        if (exitCode != 0 && exitCode != 2 || out.size() == 0) {
            throw new AssertionError("exit code " + exitCode + " for " + arguments + ", and these words: " + out);
        }
    }
}
