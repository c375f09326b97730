package vitrine.conformance.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import vitrine.guest.command.Vitrine;

/// What `./vitrine` tells somebody who has mistyped something.
class MistypedTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int vitrine(String line) {
        return Vitrine.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(line.split(" "));
    }

    /// What was wrong and what could have been meant, instead of all options that there are.
    ///
    /// Caught: no handler of wrong usage (the help comes); no converter for kinds of work; a row or
    /// an opcode that there is not taken for one; a queue of 100; a daemon that there is not begun;
    /// no converter for expressions; `FLUSH` taken for no row; `--daemon-options` whose value is
    /// looked at; a path for a message; a missing argument that hid an unknown option; folders made
    /// by `--into`; a width of -5 not refused.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            compare --onli=x                                         | 2 | --only
            comparr                                                  | 2 | compare
            mount --queue-size=100 --shared-dir=/ /mnt               | 2 | --queue-size=100: a power of two
            hostile --daemon nosuch                                  | 2 | not: nosuch
            hostile --only [                                         | 2 | no regular expression: Unclosed
            compare --only FLUSH --dir=/missing                      | 1 | --dir=/missing: no such folder
            compare --only=nosuch                                    | 2 | flush, depth 16
            workload appendx                                         | 2 | append, lookup, create, tree
            trace --opcode FOO x.pcapng                              | 2 | LOOKUP, FORGET
            qemu --cpus=0 -- true                                    | 2 | --cpus: 1 or more
            qemu --daemon-options=--dax=always --cpus=x -- true      | 2 | 'x' is not an int
            mount --daemon-options --threads=2 --threads=0 / /mnt    | 2 | /mnt
            shell --shared-dir=/missing -c ls                        | 1 | /missing: no such folder
            experiment gather -q --rounds=0 --plot=/missing/x.svg    | 1 | no such folder: /missing
            experiment killpriv --dir=/etc/passwd                    | 1 | --dir=/etc/passwd: not a folder
            workload create --shared-dir=/missing                    | 1 | --shared-dir=/missing: no such folder
            qemu --dir=/missing -- true                              | 125 | vitrine qemu: --dir=/missing: no such
            mount --shared-dir=/missing /mnt                         | 1 | --shared-dir=/missing: no such folder
            wireshark --into=/missing/plugins                        | 1 | --into=/missing/plugins: no such folder
            trace /missing/x.pcapng                                  | 1 | no such folder: /missing
            trace --nosuch                                           | 2 | vitrine trace: Unknown option: '--nosuch'
            mount --nosuch=5 x                                       | 2 | vitrine mount: Unknown option: '--nosuch=5'
            trace                                                    | 2 | vitrine trace: Missing required parameter
            demo --width=-5                                          | 2 | --width=-5: 80 columns or more
            trace --width=59 x.pcapng                                | 2 | --width=59: 60 columns or more
            """)
    void whatWasWrongIsSaidInALineOrTwo(String line, int exitCode, String said) {
        assertEquals(exitCode, vitrine(line), err::toString);

        assertTrue(err.toString().contains(said), err::toString);
        assertFalse(err.toString().contains("Usage:"), err::toString);
        assertEquals(exitCode == 2, err.toString().contains(" --help"), err::toString);
    }

    /// What is for the daemon gets there, whatever it looks like.
    ///
    /// Seen to catch: `defaultValue`, which picocli puts in the place of what AsItIs has taken.
    @ParameterizedTest
    @ValueSource(strings = {"qemu", "mount --shared-dir=/ /mnt", "workload create", "fio"})
    void optionsForTheDaemonAreKept(String command) {
        CommandLine vitrine = Vitrine.commandLine();

        vitrine.parseArgs((command + " --daemon-options=--readonly").split(" "));

        CommandLine found = vitrine.getSubcommands().get(command.split(" ")[0]);
        assertEquals(
                "--readonly",
                found.getCommandSpec().findOption("--daemon-options").getValue());
    }

    /// Programs share the work as evenly as they can.
    ///
    /// Caught: the rest left out when a count is divided.
    @Test
    void aCountIsMetWhateverTheNumberOfPrograms() {
        assertEquals(0, vitrine("workload append --count=64 --processes=10"), err::toString);

        assertTrue(out.toString().startsWith("append in Linux 6.1: 64 times"), out::toString);
    }
}
