package vitrine.visualizer.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;

/// A run that can be repeated: what is set up, and what the guest does then.
///
/// @param name in links, such as `killpriv-off`
/// @param title for people
/// @param question that the run answers
/// @param setup machine and file system
/// @param share puts files into the shared folder, before the guest starts
/// @param program what the guest does
public record Scenario(String name, String title, String question, Setup setup, Preparation share, Program program) {

    /// Counts the changes to scenarios and to the model: a link of another version may lead
    /// elsewhere.
    public static final int VERSION = 3;

    /// How machine and file system are built.
    ///
    /// @param machine its seed decides the order of descriptors
    /// @param window bytes of the DAX window, 0 for none
    /// @param intrusion what goes another way under way, if anything does
    public record Setup(
            MachineOptions machine, PassthroughOptions fileSystem, long window, Optional<Intrusion> intrusion) {

        /// Nothing goes another way.
        public Setup(MachineOptions machine, PassthroughOptions fileSystem, long window) {
            this(machine, fileSystem, window, Optional.empty());
        }

        /// Without a window.
        public Setup(MachineOptions machine, PassthroughOptions fileSystem) {
            this(machine, fileSystem, 0);
        }
    }

    /// Puts files into a folder of the host.
    @FunctionalInterface
    public interface Preparation {
        /// Does it.
        void in(Path folder) throws IOException;
    }

    /// What happens in the guest.
    @FunctionalInterface
    public interface Program {
        /// Does it.
        void in(Machine machine) throws ErrnoException;
    }
}
