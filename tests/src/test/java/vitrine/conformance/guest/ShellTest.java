package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import vitrine.conformance.dax.EndlessHost;
import vitrine.conformance.rules.Needs;
import vitrine.guest.shell.ShellCommand;

/// `vitrine shell`: scripts, their output, and what they show of what they caused.
class ShellTest {

    @TempDir
    private Path share;

    private record Result(int exitCode, String output, String complaints) {}

    @BeforeEach
    void needRoot() throws Exception {
        Needs.root(); // what a guest's root makes belongs to root
        Files.setAttribute(share, "unix:mode", 0777);
    }

    private Result shell(String script, String... more) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = new CommandLine(new ShellCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Stream.concat(Stream.of("--shared-dir", share.toString(), "-c", script), Stream.of(more))
                        .toArray(String[]::new));
        return new Result(exitCode, out.toString(), err.toString());
    }

    private String succeeding(String script) {
        Result result = shell(script);
        assertEquals(0, result.exitCode(), result.output() + result.complaints());
        return result.output();
    }

    /// Through a DAX window a file is mapped, and not read.
    @Test
    void withAWindowNothingIsRead() {
        EndlessHost.needed().close();
        Result result = shell("echo hello > f; trace on; cat f", "--dax");

        assertEquals(0, result.exitCode(), result.complaints());
        assertTrue(result.output().contains("SETUPMAPPING"), result.output());
        assertTrue(result.output().contains("hello"), result.output());
        assertFalse(result.output().contains(" READ "), result.output());
    }

    /// Words, quotes, `>` and `>>` as in sh(1); what is quoted is no redirection and no flag.
    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            echo hello > f; cat f                          ! hello|
            echo a > f; echo b >> f; cat f                 ! a|b|
            echo a > f; echo b > f; cat f                  ! b|
            echo "two  words" 'a; b' > f; cat f            ! two  words a; b|
            echo '>' x; ls                                 ! > x|
            echo -x a-b; echo                              ! -x a-b||
            echo x >f; echo y>>f; cat f                    ! x|
            mkdir d; cd d; pwd; echo x > f; cd ..; pwd; ls d ! /d|/|f|
            echo x > a; ln a b; ln -s a c; readlink c; mv b d; rm a; cat d; ls ! a|x|c|d|
            echo 12345 > f; truncate -s 2 f; cat f         ! 12
            umask 077; umask; umask 22; umask              ! 077|022|
            echo x > f; setfattr user.a value f; getfattr user.a f; getfattr f ! value|user.a|
            dd of=z bs=1k count=3 seek=1; cp z y; stat y   ! 3072 bytes written|-rw-r--r--  1     0     0      4096 y|
            su 1000; id; su root; id                       ! uid 1000, gid 1000, capabilities none|
            """)
    void scriptsPrintWhatShellsPrint(String script, String lines) {
        String output = succeeding(script);

        assertTrue(output.startsWith(lines.replace('|', '\n')), script + " prints:\n" + output);
    }

    /// lsattr(1) and chattr(1): the letters that are there may differ, not where they stand.
    @Test
    void fileFlagsHaveLetters() {
        succeeding("echo x > f");
        Needs.that(
                shell("lsattr f").exitCode() == 0, "needs file flags in " + share + ": set TMPDIR to a folder on ext4");

        String lines = succeeding("chattr +dA f; lsattr f; chattr -A f; lsattr f");

        assertTrue(lines.matches("(?s)......dA.*-.* f\n......d-.*-.* f\n"), lines);
        assertEquals("chattr: no flag y", shell("chattr +dy f").complaints().strip());
    }

    /// A command that fails says why on standard error, in the words of strerror(3). As in sh(1),
    /// those behind `;` are run all the same; the exit code is 1.
    ///
    /// Seen to catch: the complaint on standard output; the exit code of the last command only.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            frobnicate               | frobnicate: no such command; 'help' lists them
            cat nothing              | cat: No such file or directory (ENOENT)
            mkdir d; rm d            | rm: Is a directory (EISDIR)
            mkdir d; mkdir d         | mkdir: File exists (EEXIST)
            chmod                    | chmod: usage: chmod MODE FILE
            chmod 9 f                | chmod: usage: chmod MODE FILE
            echo x >                 | echo: a file is missing behind >
            trace loudly             | trace: trace on, brief, rings or off
            su nobody                | su: a number is wanted, or two: su 1000, su 1000:100
            echo x > f; chmod 600 f; su 1000; cat f | cat: Permission denied (EACCES)
            """)
    void aWrongCommandSaysWhyAndIsRemembered(String script, String complaint) {
        Result result = shell(script + "; echo reached");

        assertEquals(1, result.exitCode());
        assertEquals(complaint, result.complaints().strip());
        assertEquals("reached", result.output().strip());
    }

    /// A line that cannot be cut into words is not run in part.
    @Test
    void anUnclosedQuoteIsNoCommand() {
        Result result = shell("echo reached; echo \"x");

        assertEquals(1, result.exitCode());
        assertEquals("a quote is missing: \"", result.complaints().strip());
        assertEquals("", result.output());
    }

    /// What is done in the guest is done on the host.
    @Test
    void theShareIsADirectoryOfTheHost() throws Exception {
        Files.writeString(share.resolve("from-host"), "hello");

        assertEquals("hello", succeeding("cat from-host; echo back > from-guest"));

        assertEquals("back\n", Files.readString(share.resolve("from-guest")));
    }

    /// With `trace brief`, each command is followed by its requests, in their order: appending to a
    /// file that is there takes these, and not a GETATTR more than that of its directory, in which
    /// a name was made.
    ///
    /// Seen to catch: a GETATTR after each append; the taps not installed.
    @Test
    void theTraceShowsTheRequestsOfACommand() {
        String output = succeeding("echo hello > f; trace brief; echo again >> f; trace off; cat f");

        List<String> requests = Pattern.compile("(?m)^ *#\\d+ +(\\w+)")
                .matcher(output)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertEquals(List.of("GETATTR", "OPEN", "WRITE", "FLUSH", "RELEASE"), requests);
        assertTrue(output.endsWith("hello\nagain\n"), output);
    }

    /// A number names one request of all that were shown.
    ///
    /// Seen to catch: each command numbering its requests from 1.
    @Test
    void theNumbersOfRequestsGoOnFromCommandToCommand() {
        String output = succeeding("trace brief; mkdir a; mkdir b; mkdir c");

        List<Integer> numbers = Pattern.compile("(?m)^ *#(\\d+) ")
                .matcher(output)
                .results()
                .map(result -> Integer.valueOf(result.group(1)))
                .toList();
        assertTrue(numbers.size() >= 3, output);
        assertEquals(IntStream.rangeClosed(1, numbers.size()).boxed().toList(), numbers);
    }

    /// `trace on` shows descriptors and the host's system calls, `trace rings` the ring's memory,
    /// too.
    @Test
    void theTraceShowsAsMuchAsIsAskedFor() {
        String story = succeeding("trace on; echo hello > f");
        String rings = succeeding("trace rings; echo hello > g");

        assertTrue(Pattern.compile("WRITE.*6 bytes at 0").matcher(story).find(), story);
        assertTrue(story.contains("40+40+6 out, 16+8 in"), story);
        assertTrue(
                Pattern.compile("host +pwritev2\\(fd \\d+, 6 bytes")
                        .matcher(story)
                        .find(),
                story);
        assertFalse(story.contains("store release"), story);
        assertTrue(
                Pattern.compile("driver +store release 16 +available")
                        .matcher(rings)
                        .find(),
                rings);
        assertTrue(
                Pattern.compile("daemon +store release 16 +used").matcher(rings).find(), rings);
    }

    /// Without options there is an empty directory to play in, for root and for others.
    @Test
    void withoutADirectoryThereIsAnEmptyOne() {
        StringWriter out = new StringWriter();
        int exitCode = new CommandLine(new ShellCommand())
                .setOut(new PrintWriter(out))
                .execute("-c", "ls; su 1000; echo mine > f; ls -l");

        assertEquals(0, exitCode, out.toString());
        assertTrue(out.toString().matches("-rw-r--r-- +1 +1000 +1000 +5 f\n"), out.toString());
    }
}
