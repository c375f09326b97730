package vitrine.conformance.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import vitrine.trace.BrokenCaptureException;
import vitrine.trace.Capture;
import vitrine.trace.CaptureReader;
import vitrine.trace.RequestStories;

/// A capture file, and the stories that are told from it.
final class CaptureTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) throws IOException {
        try {
            Capture capture = CaptureReader.read(new ByteArrayInputStream(input));
            RequestStories.from(capture.events()).stories().forEach(Object::toString);
        } catch (BrokenCaptureException _) {
            // as it should be
        }
    }
}
