package vitrine.trace;

import java.io.IOException;

/// This file is not a capture of ours, or no longer one. The message is a sentence to show.
public final class BrokenCaptureException extends IOException {

    private static final long serialVersionUID = 1;

    /// @param what what is wrong, for a person to read
    public BrokenCaptureException(String what) {
        super(what);
    }
}
