package vitrine.conformance.field;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.conformance.rules.Needs;
import vitrine.guest.Device;
import vitrine.guest.bridge.Bridge;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Libc;
import vitrine.posix.Syscalls;

/// Reports about programs, with this host's kernel in the guest's place: they see on the mount what
/// they would have seen on the host.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FieldKernelTest {

    private static final Syscalls SYS = new Syscalls(Libc.load());
    private static final PassthroughOptions OPTIONS =
            PassthroughOptions.DEFAULT.with(Feature.XATTR, Feature.FLOCKS, Feature.POSIX_LOCKS);

    @TempDir
    private Path folder;

    private Path share;
    private Path mountPoint;

    @BeforeEach
    void directories() throws Exception {
        Needs.root();
        Needs.file("/dev/fuse", "modprobe fuse");
        Files.setAttribute(folder, "unix:mode", 0755);
        share = directory("share");
        mountPoint = directory("mnt");
    }

    private Path directory(String name) throws Exception {
        Path directory = Files.createDirectory(folder.resolve(name));
        Files.setAttribute(directory, "unix:mode", 0777);
        return directory;
    }

    private static String run(Path directory, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> List.of(command) + ": " + output);
        return output;
    }

    private interface Work {
        void on(Path mounted) throws Exception;
    }

    private void mounted(PassthroughOptions options, Work work) throws Exception {
        try (PassthroughFs fileSystem = new PassthroughFs(SYS, share.toString(), options);
                Bridge _ = Bridge.mount(
                        Device.inProcess(fileSystem, Bridge.options()), Bridge.options(), mountPoint, SYS, 2)) {
            work.on(mountPoint);
        }
    }

    /// One program does what each report is about.
    ///
    /// Field reports: kata-containers #5634, fuse-backend-rs #90, libkrun #203, yt-dlp #6823,
    /// fuse-backend-rs #140, kata-containers #13329, libfuse #1372, libfuse #636, kata-containers
    /// #3703, virtiofsd 7903ea3, uutils #14192.
    ///
    /// Caught: O_APPEND on the host's descriptor; a file that is open for writing only with
    /// write-back; a whiteout of the daemon's; RENAME_WHITEOUT refused.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void programsSeeWhatTheyWouldSeeOnTheHost(boolean writeBack) throws Exception {
        Needs.tool("gcc", "gcc");
        Path source = folder.resolve("field.c");
        try (InputStream text = getClass().getResourceAsStream("field.c")) {
            Files.copy(text, source);
        }
        String program = folder.resolve("field").toString();
        run(folder, "gcc", "-static", "-Wno-unused-result", "-o", program, source.toString());
        String onHost = run(directory("host"), program);

        mounted(OPTIONS.with(Feature.WRITEBACK, writeBack), mounted -> assertEquals(onHost, run(mounted, program)));
    }

    /// Without a cache in the guest a file cannot be mapped for sharing, which is what that costs;
    /// with the option it can (fuse.h: FUSE_DIRECT_IO_ALLOW_MMAP).
    ///
    /// Field report: cargo #13570.
    ///
    /// Caught: the flag never taken.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutACacheAFileIsMappedIfThatIsAllowed(boolean allowed) throws Exception {
        Path file = Files.write(share.resolve("file"), new byte[4096]);
        PassthroughOptions options = OPTIONS.withCache(CachePolicy.NEVER).with(Feature.ALLOW_MMAP, allowed);

        mounted(options, mounted -> {
            Path inGuest = mounted.resolve("file");
            try (Arena arena = Arena.ofConfined();
                    FileChannel channel =
                            FileChannel.open(inGuest, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                if (allowed) {
                    MemorySegment page = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
                    page.set(ValueLayout.JAVA_BYTE, 0, (byte) 'x');
                    page.force();
                } else {
                    assertThrows(IOException.class, () -> channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena));
                }
            }
        });

        assertEquals(allowed ? 'x' : 0, Files.readAllBytes(file)[0]);
    }

    /// The host removes directories and makes them anew, and replaces a file, while the guest's
    /// kernel has no reason to look them up again: programs find the new ones. Who makes something
    /// other than a file has to look first (`StaleNodes`: filename_create).
    ///
    /// Field report: libfuse #636.
    ///
    /// Caught: ENOENT, as the host says it; that of a LOOKUP, or for the file of a LINK.
    @Test
    void whatTheHostHasReplacedIsFoundAnew() throws Exception {
        List<Work> works = List.of(
                at -> Files.createFile(at.resolve("to/name")),
                at -> {
                    assertTrue(Files.notExists(at.resolve("to/name")));
                    Files.createDirectory(at.resolve("to/name"));
                },
                at -> Files.createLink(at.resolve("name"), at.resolve("file")),
                at -> Files.move(at.resolve("from/old"), at.resolve("to/name"), StandardCopyOption.ATOMIC_MOVE),
                at -> Files.move(at.resolve("from/old"), at.resolve("name"), StandardCopyOption.ATOMIC_MOVE),
                at -> Files.move(at.resolve("file"), at.resolve("to/name"), StandardCopyOption.ATOMIC_MOVE),
                at -> Files.delete(at.resolve("from/old")),
                at -> assertEquals("old", Files.readString(at.resolve("from/old"))));

        mounted(OPTIONS.withCache(CachePolicy.ALWAYS), mounted -> {
            for (int i = 0; i < works.size(); i++) {
                Path onHost = Files.createDirectory(share.resolve("at " + i));
                Path inGuest = mounted.resolve("at " + i);
                makeAnew(onHost);
                for (String known : List.of("from", "to", "file")) {
                    Files.readAttributes(inGuest.resolve(known), "*");
                }
                makeAnew(onHost);

                works.get(i).on(inGuest);
            }
        });
    }

    private static void makeAnew(Path at) throws Exception {
        run(at, "sh", "-c", "rm -rf * && mkdir from to && echo -n old >from/old && echo -n file >file");
    }

    /// An overlay file system lies on a share: it needs extended attributes, whiteouts and files
    /// without a name.
    ///
    /// Field report: kata-runtime #1888.
    ///
    /// Caught: RENAME_WHITEOUT refused.
    @Test
    void anOverlayLiesOnAShare() throws Exception {
        Needs.that(
                Files.readString(Path.of("/proc/filesystems")).contains("\toverlay\n"),
                "needs overlay file systems: modprobe overlay");
        Path merged = directory("merged");
        Files.writeString(Files.createDirectory(share.resolve("lower")).resolve("gone"), "lower");
        Files.writeString(share.resolve("lower/changed"), "lower");
        Files.createDirectory(share.resolve("upper"));
        Files.createDirectory(share.resolve("work"));

        mounted(OPTIONS, mounted -> {
            String layers = "lowerdir=%1$s/lower,upperdir=%1$s/upper,workdir=%1$s/work".formatted(mounted);
            run(folder, "mount", "-t", "overlay", "overlay", "-o", layers, merged.toString());
            try {
                Files.delete(merged.resolve("gone"));
                Files.writeString(merged.resolve("changed"), "upper");
                Files.writeString(Files.createDirectory(merged.resolve("made")).resolve("file"), "upper");

                assertTrue(Files.notExists(merged.resolve("gone")));
                assertEquals("upper", Files.readString(merged.resolve("changed")));
            } finally {
                run(folder, "umount", merged.toString());
            }
        });

        assertEquals(0020000, (Integer) Files.getAttribute(share.resolve("upper/gone"), "unix:mode") & 0170000);
        assertEquals("lower", Files.readString(share.resolve("lower/changed")));
        assertEquals("upper", Files.readString(share.resolve("upper/made/file")));
    }
}
