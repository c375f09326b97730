package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.daemon.Main;

/// What is right and wrong on the command line, as far as that can be told without a share. That
/// the options mean what they say is for [OptionsTest].
class CommandLineTest {

    /// What came of a command line.
    private record Outcome(int exitCode, String out, String err) {}

    private static Outcome run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
        return new Outcome(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// What is asked for goes to standard output, whatever else is on the line.
    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "--help --xattr", "--shared-dir=/nowhere --help"})
    void helpIsNoError(String line) {
        Outcome outcome = run(line.split(" "));

        assertEquals(0, outcome.exitCode);
        assertEquals("", outcome.err);
        for (String option : List.of(
                "--shared-dir", "--socket-path", "--fd", "--cache", "xattr", "writeback", "--log-level", "-o source")) {
            assertTrue(outcome.out.contains(option), option);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void theVersionIsOneLine(String option) {
        Outcome outcome = run(option);

        assertEquals(0, outcome.exitCode);
        assertTrue(outcome.out.matches("vitrine \\d+\\.\\d+\\.\\d+\\R"), outcome.out);
    }

    /// vhost-user, "Backend program conventions": JSON on standard output, exit code 0, other
    /// options and arguments are ignored.
    ///
    /// Caught: the parser asked first (exit code 2 for an option that it does not know).
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--print-capabilities",
                "--shared-dir=/nowhere --print-capabilities",
                "--print-capabilities --fd=3 -o nonsense --nonsense more"
            })
    void capabilitiesArePrintedWhateverElseIsThere(String line) {
        Outcome outcome = run(line.split(" "));

        assertEquals(
                new Outcome(
                        0,
                        "{\"type\": \"fs\", \"features\": [\"migrate-precopy\", \"separate-options\","
                                + " \"posix-acl-negotiation-mode\", \"security-label-negotiation-mode\"]}\n",
                        ""),
                outcome);
    }

    /// How others call a virtiofsd: QEMU's documentation, libvirt before and after version 10,
    /// Proxmox VE, Incus, Kata Containers in Go and in Rust, mkosi.
    ///
    /// Caught: `OTHER_NAME` empty; `source` left out of the list.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--socket-path=/run/s -o source=/srv",
                "--socket /run/s -o source=/srv -d",
                "--fd=9 -o source=/s,,v,cache=always,sandbox=chroot,xattr,flock,no_posix_lock --thread-pool-size=4 -d",
                "--fd=9 --shared-dir /srv --cache never --sandbox namespace --xattr --thread-pool-size=4"
                        + " --rlimit-nofile=4096 --log-level debug"
                        + " --uid-map=:0:7:1: --uid-map=:1:99:9: --gid-map=:0:7:1:",
                "--fd=9 --shared-dir=/srv --xattr --posix-acl --announce-submounts --allow-direct-io --cache=auto"
                        + " --inode-file-handles=prefer --syslog --writeback",
                "--fd=3 --cache=metadata --shared-dir=/srv --translate-uid=map:0:7:9 --translate-uid=forbid-guest:9:8"
                        + " --translate-gid=map:0:7:9",
                "--fd=3 --cache=never --shared-dir=/srv --posix-acl=auto",
                "--syslog --cache=auto --shared-dir=/srv --fd=9 --thread-pool-size=1 --announce-submounts",
                "--socket-path /run/s --shared-dir /srv --cache auto --thread-pool-size=1 -o announce_submounts",
                "--shared-dir /srv --xattr --no-announce-submounts --sandbox=chroot --inode-file-handles=never"
                        + " --log-level=error --modcaps=-mknod --security-label --fd 9"
            })
    void whatOthersSayIsUnderstood(String line) {
        Outcome outcome = run((line + " --timeout=-1").split(" ")); // which is wrong, and the first thing that is

        assertTrue(outcome.err.startsWith("vitrine daemon: --timeout: "), outcome.err);
    }

    /// An option that is not understood may be one that protects somebody: `--hardened`, for
    /// instance. To go on without it would be worse than not to start. The message has its name.
    ///
    /// Caught: `setUnmatchedArgumentsAllowed(true)`; `OptionList` that leaves out what it does not
    /// know.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nonsense",
                "--daemonize",
                "--hardened",
                "--Xattr",
                "--shared",
                "--nox",
                "-x",
                "--xattrs",
                "-o|allow_root",
                "-o|max_idle_threads=4",
                "-o|nonsense=1",
                "-o|Xattr",
                "-o|xattr,nonsense",
                "-o|",
                "nonsense"
            })
    void whatIsNotUnderstoodIsRefusedByName(String words) {
        String[] arguments = Stream.concat(
                        Stream.of("--shared-dir=/nowhere", "--socket-path=/nowhere/socket"),
                        Stream.of(words.split("\\|", -1)))
                .toArray(String[]::new);
        String name =
                arguments[arguments.length - 1].replaceFirst("^-o(?=.)", "").replaceFirst("^.*,", "");

        Outcome outcome = run(arguments);

        assertEquals(2, outcome.exitCode, outcome.err);
        assertEquals("", outcome.out);
        assertTrue(outcome.err.contains(name), outcome.err);
        assertTrue(outcome.err.lines().count() <= 3, outcome.err); // not a page of help
    }

    /// A command line, and a word that the complaint about it must have.
    record Wrong(String word, String... arguments) {
        @Override
        public String toString() {
            return String.join(" ", arguments);
        }
    }

    static Stream<Wrong> wrongLines() {
        String share = "--shared-dir=/nowhere";
        String socket = "--socket-path=/nowhere/socket";
        return Stream.of(
                new Wrong("--shared-dir"),
                new Wrong("--shared-dir", socket),
                new Wrong("--shared-dir", socket, "--shared-dir"),
                new Wrong("--socket-path", share),
                new Wrong("--fd", share),
                new Wrong("--fd", share, socket, "--fd=3"),
                new Wrong("--fd", share, "--fd=three"),
                new Wrong("--fd", share, "--fd=-1"),
                new Wrong("--cache", share, socket, "--cache=sometimes"),
                new Wrong("sometimes", share, socket, "-o", "cache=sometimes"),
                new Wrong("--inode-file-handles", share, socket, "--inode-file-handles=sometimes"),
                new Wrong("never, prefer, mandatory", share, socket, "--inode-file-handles=always"),
                new Wrong("--rlimit-nofile", share, socket, "--rlimit-nofile=20"),
                new Wrong("--rlimit-nofile", share, socket, "--rlimit-nofile=-1"),
                new Wrong("--rlimit-nofile", share, socket, "--rlimit-nofile=many"),
                new Wrong("--timeout", share, socket, "--timeout=-1"),
                new Wrong("--timeout", share, socket, "--timeout=NaN"),
                new Wrong("--timeout", share, socket, "--timeout=1e300"),
                new Wrong("--timeout", share, socket, "-o", "timeout=soon"),
                new Wrong("--num-request-queues", share, socket, "--num-request-queues=0"),
                new Wrong("--num-request-queues", share, socket, "--num-request-queues=64"),
                new Wrong("--num-request-queues", share, socket, "--num-request-queues=-1"),
                new Wrong("--write-path", share, socket, "--write-path=thrown"),
                new Wrong("--tag", share, socket, "--tag=" + "x".repeat(37)),
                new Wrong("--tag", share, socket, "--tag=" + "ä".repeat(19)),
                new Wrong("--sandbox", share, socket, "--sandbox=beach"),
                new Wrong("--seccomp", share, socket, "--seccomp=perhaps"),
                new Wrong("--sandbox", share, socket, "-o", "sandbox=beach"),
                new Wrong("sys_everything", share, socket, "--modcaps=+sys_everything"),
                new Wrong("mknod", share, socket, "-o", "modcaps=mknod"),
                new Wrong("--socket-group", share, "--fd=3", "--socket-group=daemon"),
                new Wrong("--thread-pool-size", share, socket, "--thread-pool-size=-1"),
                new Wrong("find-paths, file-handles", share, socket, "--migration-mode=names"),
                new Wrong("--migration-on-error", share, socket, "--migration-on-error=retry"),
                new Wrong("--dax=sometimes", share, socket, "--dax=sometimes"),
                new Wrong("--dax=size", share, socket, "--dax=size=large"),
                new Wrong("--dax=size", share, socket, "-o", "dax=size="),
                new Wrong("--dax with --readonly", share, socket, "--dax=attr", "--readonly"),
                new Wrong("only with --dax", share, socket, "--dax-window=4M"),
                new Wrong("power of two", share, socket, "--dax=always", "--dax-window=100M"),
                new Wrong("at least 4M", share, socket, "--dax=always", "--dax-window=2M"),
                new Wrong("at most 512M", share, socket, "-o", "dax=always,dax_window=1G"),
                new Wrong("--dax-window", share, socket, "--dax=always", "--dax-window=99999999999999G"),
                new Wrong("--dax-window", share, socket, "--dax=always", "--dax-window=-2M"),
                new Wrong("--dax-flag-cache=maybe", share, socket, "--dax=attr", "--dax-flag-cache=maybe"),
                new Wrong("only with --dax=attr", share, socket, "--dax=always", "--dax-flag-cache=off"),
                new Wrong("--log-level", share, socket, "--log-level=loud"),
                new Wrong("--log-level", share, socket, "-o", "log_level=loud"),
                new Wrong("xattr", share, socket, "-o", "xattr=maybe"),
                new Wrong("--posix-acl", share, socket, "--posix-acl=sometimes"),
                new Wrong("sometimes", share, socket, "-o", "posix_acl=sometimes"),
                new Wrong("--posix-acl", share, socket, "--posix-acl=auto", "--xattrmap=:map::user.virtiofs.:"),
                new Wrong("system.posix_acl_", share, socket, "--posix-acl", "--xattrmap=:bad:server::system.:"),
                new Wrong("for a daemon that is not root", share, socket, "--gid-map", ":0:1000:1:"),
                new Wrong("--uid-map=:0:1000:", share, socket, "--uid-map=:0:1000:"),
                new Wrong("--uid-map=x0x1x1x", share, socket, "--uid-map=x0x1x1x"),
                new Wrong("--uid-map=0:1000:1", share, socket, "--uid-map=0:1000:1"),
                new Wrong("--uid-map=:0:1000:0:", share, socket, "--uid-map=:0:1000:0:"),
                new Wrong("--uid-map=:1:9:9:", share, socket, "--uid-map=:0:1000:2:", "--uid-map=:1:9:9:"),
                new Wrong("--gid-map=:8:7:9:", share, socket, "--gid-map=:0:9:8:", "--gid-map=:8:7:9:"),
                new Wrong("--translate-uid=map:0:0", share, socket, "--translate-uid=map:0:0"),
                new Wrong("--translate-gid", share, socket, "--translate-gid=map:0:0:9", "--translate-gid=guest:8:0:1"),
                new Wrong("--posix-acl", share, socket, "--posix-acl=auto", "--translate-uid=map:0:1:1"),
                new Wrong("--xattrmap", share, socket, "--xattrmap="),
                new Wrong("rule 2", share, socket, "--xattrmap=:ok:all::::bad:nobody:::"),
                new Wrong("rule 1", share, socket, "-o", "xattrmap=x"),
                new Wrong("LC_ALL", share, socket, "--xattrmap=:ok:all:\ufffd\ufffd::"),
                new Wrong("which directory", "--shared-dir=", socket),
                new Wrong("-o", share, socket, "-o"));
    }

    /// Values that no option takes, and what is missing. Nothing has been touched by then.
    ///
    /// Caught: each check of `DaemonOptions.check` removed.
    @ParameterizedTest
    @MethodSource("wrongLines")
    void whatIsWrongIsSaid(Wrong wrong) {
        Outcome outcome = run(wrong.arguments);

        assertEquals(2, outcome.exitCode, outcome.err);
        assertEquals("", outcome.out);
        assertTrue(outcome.err.contains(wrong.word), outcome.err);
    }

    /// A directory may be called `@x`; a file of options is not what is meant.
    ///
    /// Caught: `setExpandAtFiles(false)` removed.
    @Test
    void anAtSignIsNoFileOfOptions(@TempDir Path temporary) throws Exception {
        Path file = Files.writeString(temporary.resolve("options"), "5");

        Outcome outcome = run("--shared-dir=/nowhere", "--socket-path=/nowhere/socket", "--timeout", "@" + file);

        assertEquals(2, outcome.exitCode, outcome.err);
        assertTrue(outcome.err.contains("@" + file), outcome.err);
    }
}
