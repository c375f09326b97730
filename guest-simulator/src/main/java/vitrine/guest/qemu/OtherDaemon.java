package vitrine.guest.qemu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The virtiofsds of other projects, as they may be found on this machine.
///
/// Both are called `virtiofsd`, and distributions have put either into the same places. So each
/// program that is found is asked for its version.
public enum OtherDaemon {
    /// QEMU's own, in C; QEMU 7.2 was the last to have it.
    C(List.of("-o", "source={dir}", "-o", "sandbox=chroot"), "on Debian 12: apt-get install qemu-system-common"),

    /// The one in Rust, which came after it.
    RUST(
            List.of("--shared-dir={dir}", "--sandbox=chroot"),
            "on Debian 13: apt-get install virtiofsd; anywhere: ./vitrine qemu --setup-newer");

    /// The variable that names one to be looked at before all others.
    public static final String VARIABLE = "VITRINE_VIRTIOFSD";

    private static final String NAME = "virtiofsd";
    private static final List<String> PLACES =
            List.of("/usr/libexec/virtiofsd", "/usr/lib/virtiofsd", "/usr/lib/qemu/virtiofsd");
    private static final String SAID_BY_C = "FUSE kernel interface";

    private final List<String> options;
    private final String remedy;

    OtherDaemon(List<String> options, String remedy) {
        this.options = options;
        this.remedy = remedy;
    }

    /// Its command line for one share, with `{socket}` and `{dir}` where the two paths go.
    ///
    /// @throws GuestFailedException if it is not on this machine; the message says what to do
    public List<String> command() throws GuestFailedException, IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(find().toString(), "--socket-path={socket}"));
        command.addAll(options);
        return command;
    }

    /// Where it is: in [#VARIABLE], in PATH, where distributions put it, or in [NewerSoftware].
    private Path find() throws GuestFailedException, IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        Optional.ofNullable(System.getenv(VARIABLE)).ifPresent(names::add);
        names.add(NAME);
        names.addAll(PLACES);
        names.add(NewerSoftware.ofUser().virtiofsd().toString());
        for (String name : names) {
            Optional<Path> program = HostTool.search(name);
            if (program.isPresent() && isThis(program.get())) {
                return program.get();
            }
        }
        throw new GuestFailedException("there is no virtiofsd in " + (this == C ? "C" : "Rust") + " among " + names
                + "; " + remedy + "; or name one in " + VARIABLE);
    }

    private boolean isThis(Path program) throws IOException, InterruptedException {
        try {
            String version = HostTool.find(program.toString(), NAME).run(Path.of("/"), "--version");
            return version.startsWith(NAME) && version.contains(SAID_BY_C) == (this == C);
        } catch (GuestFailedException _) {
            return false; // a virtiofsd that does not start
        }
    }
}
