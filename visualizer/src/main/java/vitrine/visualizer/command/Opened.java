package vitrine.visualizer.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import vitrine.trace.BrokenCaptureException;
import vitrine.visualizer.scenario.Gallery;
import vitrine.visualizer.scenario.Link;
import vitrine.visualizer.scenario.ScenarioRun;
import vitrine.visualizer.timeline.Anchors;
import vitrine.visualizer.timeline.Run;
import vitrine.visualizer.timeline.Session;

/// What a link leads to.
///
/// @param link itself
/// @param run the run
/// @param other the run to compare with
/// @param session at the moment that the link names
/// @param note empty, or a sentence that the link is outdated, and where it leads now
public record Opened(Link link, Run run, Optional<Run> other, Session session, String note) {

    /// Opens it: a scenario is run, a file is read.
    ///
    /// @throws IOException if that cannot be done; the message says why
    public static Opened of(String text) throws IOException {
        Link link = Link.parse(text);
        Run run = run(link.run());
        Anchors.Found found = Anchors.nearest(run, link.anchor())
                .orElseThrow(() -> new IOException("this run has no moment '" + link.anchor()
                        + "'; try start, end, step-17, request-2, call-1 or first-write;"
                        + " ./vitrine view --list-anchors " + link.run() + " lists them"));
        Optional<Run> other = link.other().isEmpty() ? Optional.empty() : Optional.of(run(link.other()));
        Session session =
                Session.START.at(found.position()).select(link.selection()).filter(link.filter());
        return new Opened(link, run, other, session, note(link, run, found));
    }

    /// What is to be said of a moment that is not, or may not be, the one that the link was made
    /// of.
    public static String note(Link link, Run run, Anchors.Found found) {
        String version = run.about().getOrDefault("version", "");
        boolean outdated = !link.version().isEmpty() && !link.version().equals(version);
        String was = "The link was made with version " + link.version() + " of " + link.run() + ", which is "
                + (version.isEmpty() ? "another one" : "at version " + version) + " now: it may lead elsewhere. ";
        return ((outdated ? was : "") + found.note()).strip();
    }

    /// The run of the scenario with this name, or in the capture file at this path.
    public static Run run(String name) throws IOException {
        return run(name, _ -> {});
    }

    /// The same, for somebody who waits.
    ///
    /// @param progress is told how much of a file was read, 0 to 1, now and then
    public static Run run(String name, DoubleConsumer progress) throws IOException {
        Path file = Path.of(name);
        if (Files.isRegularFile(file)) {
            try {
                return Run.read(file, progress);
            } catch (BrokenCaptureException e) {
                throw new IOException(name + ": " + e.getMessage(), e);
            }
        }
        if (name.contains("/") || name.contains(".")) {
            throw new IOException(name + ": " + (Files.exists(file) ? "not a file" : "no such file or folder"));
        }
        try {
            return ScenarioRun.of(Gallery.named(name));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage() + "; or give a capture file", e);
        }
    }
}
