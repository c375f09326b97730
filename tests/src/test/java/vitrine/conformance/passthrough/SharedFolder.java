package vitrine.conformance.passthrough;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.passthrough.PassthroughOptions;

/// A test has a folder of its own, and a guest that shares it once [#serve] was called.
abstract class SharedFolder {

    @TempDir
    Path temporary; // has `share` in it, and nothing else

    Path share;
    Guest guest; // null: none yet

    @BeforeEach
    void makeShare() throws Exception {
        Needs.root();
        share = Files.createDirectory(temporary.resolve("share"));
    }

    final void serve(PassthroughOptions options) throws Exception {
        serve(options, Guest.ALL_FLAGS);
    }

    /// Serves it from now on, instead of what was served before.
    void serve(PassthroughOptions options, long offered) throws Exception {
        endGuest();
        guest = new Guest(share, options, offered);
    }

    @AfterEach
    void endGuest() {
        if (guest != null) {
            guest.close();
            guest = null;
        }
    }
}
