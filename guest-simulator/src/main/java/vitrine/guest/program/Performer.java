package vitrine.guest.program;

import java.io.IOException;
import java.util.List;

/// A guest that performs programs.
public interface Performer {

    /// Whose requests are to be seen.
    Client client();

    /// Performs programs, one after the other, each on a fresh mount.
    ///
    /// @param programs all of them for this client
    /// @throws IOException if it cannot be done; the message says why, and what to do
    List<Performance> perform(List<Program> programs) throws IOException, InterruptedException;
}
