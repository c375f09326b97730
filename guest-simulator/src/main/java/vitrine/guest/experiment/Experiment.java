package vitrine.guest.experiment;

import java.io.IOException;
import java.util.List;

/// Something that somebody has reported, to be seen again.
public interface Experiment {

    /// What it is called on the command line.
    String name();

    /// What it is about, in a line.
    String title();

    /// Does it.
    ///
    /// @throws IOException if it cannot be done; the message says what is missing
    List<Row> run(Bench bench) throws IOException, InterruptedException;
}
