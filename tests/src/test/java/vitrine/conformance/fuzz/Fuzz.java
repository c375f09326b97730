package vitrine.conformance.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `vitrine fuzz`: looks for an input that breaks something.
///
/// | exit code | means |
/// |---|---|
/// | 0 | none was found |
/// | 1 | one was found, and saved; standard output says where, and how to see it again |
/// | 2 | the command line is wrong |
@Command(
        name = "vitrine fuzz",
        mixinStandardHelpOptions = true,
        description = "Looks for an input that breaks something, guided by which code each input reaches.",
        footer = {
            "",
            "What was worth keeping lies in target/fuzz/TARGET/corpus, and the next run begins with it.",
            "Example: ten minutes of requests",
            "  ./vitrine fuzz requests --minutes 10"
        })
public final class Fuzz implements Callable<Integer> {

    @Parameters(paramLabel = "TARGET", description = "What takes the input: ${COMPLETION-CANDIDATES}.")
    private Targets target;

    @Option(names = "--minutes", paramLabel = "N", description = "How long to look. Default: ${DEFAULT-VALUE}.")
    private double minutes = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Begin as that run did, which has said its number. Only the first inputs will be the same: "
                    + "time has a say in which of them are kept.")
    private long seed;

    @Option(names = "--input", paramLabel = "FILE", description = "Take this one input instead, which was saved.")
    private Path input;

    private Fuzz() {}

    /// Runs the command and ends the process with its exit code.
    public static void main(String... arguments) {
        CommandLine command = new CommandLine(new Fuzz());
        command.registerConverter(Targets.class, Targets::of);
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (input != null) {
            System.setProperty("vitrine.fuzz", target.toString());
            FuzzEntry.fuzzerInitialize();
            FuzzEntry.fuzzerTestOneInput(Files.readAllBytes(input));
            System.out.println("nothing is wrong with " + input);
            return 0;
        }
        Path work = Files.createDirectories(
                Path.of(System.getProperty("vitrine.root"), "target", "fuzz", target.toString()));
        FuzzRun run = new FuzzRun(target, work, Duration.ofMillis((long) (minutes * 60_000)), seed);
        int exitCode = run.run(new Progress()::line);
        if (exitCode == 0) {
            System.out.println("nothing was found");
            return 0;
        }
        System.out.println("found, and saved; to see it again:");
        System.out.println(
                "  ./vitrine fuzz " + target + " --input " + run.found().getFirst());
        return 1;
    }
}
