package vitrine.guest.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import vitrine.fuse.FuseRequest;
import vitrine.guest.qemu.GuestFailedException;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.guest.workload.fio.FioSlice;

/// Where experiments are done: the settings side by side, a bit of work in each, in turns, so that
/// whatever else the machine does meets all of them alike.
///
/// @param where guest, daemon, folder
/// @param kernel the setting with the kernel that was asked for
/// @param rounds how many turns; the median counts, and with 0 nothing is measured
/// @param slice how long the work of a turn is
/// @param progress is told what is going on
public record Bench(Where where, UnaryOperator<Setting> kernel, int rounds, Duration slice, Consumer<String> progress) {

    /// Of the file that is worked on, as fio writes it.
    static final String FILE_SIZE = "32M";

    private static final int BAR = 20;

    private interface Start {
        Contestant of(Setting setting, Path own) throws IOException, InterruptedException, GuestFailedException;
    }

    /// Settings with the kernel that was asked for.
    List<Setting> withKernel(Setting... settings) {
        return Stream.of(settings).map(kernel).toList();
    }

    /// The same with shares in another folder.
    Bench in(Path folder) {
        return new Bench(where.in(folder), kernel, rounds, slice, progress);
    }

    /// Measures a job of fio's; nothing if there are no rounds.
    ///
    /// @return one for each setting
    List<Row.Range> measure(String what, List<Setting> settings, FioSlice job)
            throws IOException, InterruptedException {
        return compete(what, settings, (setting, own) -> where.fio(setting, own, job, progress));
    }

    /// Measures work in a simulated guest, likewise.
    public List<Row.Range> measure(String what, List<Setting> settings, Where.Work work)
            throws IOException, InterruptedException {
        return compete(what, settings, (setting, own) -> where.simulated(setting, own, work));
    }

    /// Measures the same work where it is done: the microseconds that our daemon takes for a
    /// request.
    ///
    /// @param counted which requests are meant
    public List<Row.Range> measureInServer(
            String what, List<Setting> settings, Where.Work work, Predicate<FuseRequest> counted)
            throws IOException, InterruptedException {
        return compete(what, settings, (setting, own) -> where.inServer(setting, own, work, counted));
    }

    private List<Row.Range> compete(String what, List<Setting> settings, Start start)
            throws IOException, InterruptedException {
        if (rounds == 0) {
            return List.of();
        }
        List<Contestant> contestants = new ArrayList<>();
        try (TemporaryFolder folder = newFolder()) {
            try {
                for (Setting setting : settings) {
                    Path own = Files.createDirectory(folder.path().resolve("at-" + contestants.size()));
                    contestants.add(start.of(setting, own));
                }
                return inTurns(what, contestants);
            } finally {
                Contestant.closeAll(contestants);
            }
        } catch (GuestFailedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private TemporaryFolder newFolder() throws IOException {
        String prefix = "vitrine-experiment-";
        return where.folder() == null ? TemporaryFolder.named(prefix) : TemporaryFolder.in(where.folder(), prefix);
    }

    /// How far it is.
    static String bar(int done, int all) {
        int full = BAR * done / Math.max(1, all);
        return "▕" + "█".repeat(full) + " ".repeat(BAR - full) + "▏";
    }

    private List<Row.Range> inTurns(String what, List<Contestant> contestants)
            throws IOException, InterruptedException {
        List<List<Double>> seen = new ArrayList<>();
        for (Contestant contestant : contestants) {
            progress.accept(what + ": warming up");
            contestant.work(slice);
            seen.add(new ArrayList<>());
        }
        for (int round = 1; round <= rounds; round++) {
            progress.accept(what + " " + bar(round - 1, rounds) + " round " + round + " of " + rounds);
            for (int i = 0; i < contestants.size(); i++) {
                seen.get(i).add(contestants.get(i).work(slice));
            }
        }
        return seen.stream().map(Row.Range::of).toList();
    }
}
