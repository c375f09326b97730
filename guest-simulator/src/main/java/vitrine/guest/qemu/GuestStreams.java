package vitrine.guest.qemu;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Consumer;

/// Where the streams of a guest lead.
///
/// @param in       the command's standard input
/// @param out      the command's standard output, written as it comes and flushed
/// @param err      the command's standard error, likewise
/// @param log      takes each line of the guest's console and of the daemon's output
/// @param progress takes a sentence whenever something is under way that a person waits for
public record GuestStreams(
        InputStream in, OutputStream out, OutputStream err, Consumer<String> log, Consumer<String> progress) {

    /// No input, and nobody listens but the two given streams.
    public static GuestStreams to(OutputStream out, OutputStream err) {
        return new GuestStreams(InputStream.nullInputStream(), out, err, _ -> {}, _ -> {});
    }
}
