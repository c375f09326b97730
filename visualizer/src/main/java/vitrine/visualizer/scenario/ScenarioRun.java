package vitrine.visualizer.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import vitrine.dax.Window;
import vitrine.guest.Machine;
import vitrine.guest.MachineOptions;
import vitrine.guest.qemu.TemporaryFolder;
import vitrine.passthrough.PassthroughFs;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;
import vitrine.tap.TappedLibc;
import vitrine.trace.Actor;
import vitrine.trace.Recorder;
import vitrine.trace.TraceEvent;
import vitrine.trace.TraceEvent.HostCall;
import vitrine.trace.TraceList;
import vitrine.visualizer.timeline.HostFiles;
import vitrine.visualizer.timeline.RingState;
import vitrine.visualizer.timeline.Run;

/// Runs a scenario in the stepped machine, and watches.
public final class ScenarioRun {

    private ScenarioRun() {}

    /// The run of a scenario: the same events each time.
    ///
    /// @throws IOException if it cannot be run here; the message says why
    public static Run of(Scenario scenario) throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new IOException("a scenario has programs of several users, so only root can run one;"
                    + " a capture file can be opened by anybody");
        }
        try (TemporaryFolder outer = TemporaryFolder.named("vitrine-scenario")) {
            Path share = Files.createDirectory(outer.path().resolve("share"));
            Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
            scenario.share().in(share);
            Seen seen = onItsOwnThread(scenario, share);
            return Run.of(reproducible(seen.events, share), about(scenario), seen.files);
        }
    }

    /// What has happened, and what lay on the host meanwhile.
    private record Seen(List<TraceEvent> events, HostFiles files) {}

    /// What a thread does once in its life is then part of each run.
    private static Seen onItsOwnThread(Scenario scenario, Path share) throws IOException {
        FutureTask<Seen> task = new FutureTask<>(() -> events(scenario, share));
        Thread.ofPlatform().name("stepped").start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            String why = e.getCause().getMessage();
            throw new IOException("the scenario " + scenario.name() + " cannot be run here: " + why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the scenario " + scenario.name() + " was interrupted", e);
        }
    }

    private static Seen events(Scenario scenario, Path share) throws ErrnoException {
        TraceList trace = new TraceList();
        Scenario.Setup setup = scenario.setup();
        Onlooker onlooker = new Onlooker(share, trace);
        Intruder intruder = new Intruder(setup.intrusion(), share, onlooker);
        Recorder recorder = new Recorder(intruder, () -> 0, Actor.DAEMON);
        Syscalls watched = new Syscalls(TappedLibc.tap(intruder.between(Libc.load()), recorder));
        try (MappableFiles files = new MappableFiles()) {
            Window window = setup.window() == 0 ? Window.none() : new Window(watched, setup.window(), files::open);
            try (PassthroughFs fileSystem = new PassthroughFs(watched, share.toString(), setup.fileSystem(), window)) {
                intruder.begin();
                onlooker.begin();
                trace.clear(); // what the daemon does before there is a guest depends on the host
                MachineOptions options = setup.machine().withWindow(window);
                try (Machine machine = Machine.stepped(new Reproducible(fileSystem), options, recorder)) {
                    perform(scenario, machine);
                }
                return new Seen(trace.events(), onlooker.seen());
            }
        }
    }

    /// A program that is told of an error gives up, and if somebody wanted the error, that is the
    /// run.
    private static void perform(Scenario scenario, Machine machine) throws ErrnoException {
        try {
            scenario.program().in(machine);
        } catch (ErrnoException e) {
            if (scenario.setup().intrusion().isEmpty()) {
                throw e;
            }
        }
    }

    private static List<TraceEvent> reproducible(List<TraceEvent> events, Path share) {
        HostNames names = new HostNames(share.toString());
        VirtualTime time = new VirtualTime();
        return events.stream()
                .map(event -> event instanceof HostCall call ? names.renamed(call) : event)
                .map(time::stamped)
                .toList();
    }

    private static Map<String, String> about(Scenario scenario) {
        Map<String, String> about = new HashMap<>(Gallery.reported(scenario));
        about.put("window", String.valueOf(scenario.setup().window()));
        about.put("scenario", scenario.name());
        about.put("title", scenario.title());
        about.put("version", String.valueOf(Scenario.VERSION));
        about.put("seed", String.valueOf(scenario.setup().machine().seed()));
        about.put("time", "model");
        about.put(
                RingState.QUEUE_SIZE,
                String.valueOf(scenario.setup().machine().rings().size()));
        return about;
    }
}
