package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.guest.frontend.Frontend;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// `--xattrmap` beside QEMU's own daemon, on the same files.
class XattrMapPeerTest {

    private static final List<String> NAMES = List.of(
            "user.a",
            "user.virtiofs.user.a",
            "user.v.trusted.b",
            "trusted.b",
            "security.x",
            "security.capability",
            "x");

    @TempDir
    Path temporary;

    /// Whatever a guest asks about these names, on a file where the host has set some of them: both
    /// daemons have the same answer, and the host has the same attributes in the end.
    ///
    /// Every map here has a place for `security.capability`: without one, QEMU's does not start.
    /// And a name that it lists twice counts once.
    ///
    /// Caught: the scope of a rule ignored; the key of a rule tried on the host's names.
    @ParameterizedTest
    @ValueSource(
            strings = {
                ":map::user.virtiofs.:",
                ":map:trusted.:user.v.:",
                "/prefix/all/trusted./user.v./:bad:client:user.v.::\n#ok#all###",
                ":prefix:client:user.a:user.v.:!unsupported!all!security.x!security.x!:ok:all:::",
                ":prefix:server::user.v.:/ok/client/user//:ok:all:security.:security.:",
                ":ok:client:::/bad/server//user.a/:ok:server:::"
            })
    void itMeansWhatItMeansToQemusDaemon(String rules) throws Exception {
        Path ours = prepared("ours");
        Path theirs = prepared("theirs");
        List<String> expected;
        try (PeerDaemon daemon = PeerDaemon.serving(temporary, theirs, "modcaps=+sys_admin", "xattrmap=" + rules);
                Frontend frontend = daemon.connect()) {
            expected = answers(frontend);
        }
        List<String> answers;
        try (DaemonProcess daemon =
                        DaemonProcess.serving(temporary, ours, "--modcaps=+sys_admin", "--xattrmap=" + rules);
                Frontend frontend = daemon.connect()) {
            answers = answers(frontend);
        }

        assertEquals(String.join("\n", expected), String.join("\n", answers));
        assertEquals(onHost(theirs), onHost(ours));
    }

    private Path prepared(String name) throws Exception {
        Path share = Files.createDirectory(temporary.resolve(name));
        Files.writeString(share.resolve("file"), "");
        try (Fd file = open(share)) {
            for (String attribute : NAMES.subList(0, 4)) {
                DaemonProcess.SYS.setxattr(file, Name.of(attribute), bytes("host"), 0);
            }
        }
        return share;
    }

    private static Fd open(Path share) throws Exception {
        return DaemonProcess.SYS.openPath(share.resolve("file").toString(), Fcntl.O_RDONLY);
    }

    private static String onHost(Path share) throws Exception {
        try (Fd file = open(share)) {
            return DaemonProcess.SYS.listxattr(file).stream().sorted().toList().toString();
        }
    }

    private static List<String> answers(Frontend frontend) throws Exception {
        BriefGuest guest = new BriefGuest(frontend);
        guest.ask(BriefGuest.INIT);
        InHeader file = InHeader.of(4, guest.lookup("file").nodeid(), 0, 0, 0);
        List<String> answers = new ArrayList<>();
        answers.add("at first " + list(guest, file));
        for (String name : NAMES) {
            answers.add("get " + name + " " + get(guest, file, name));
            SetxattrIn in = new SetxattrIn(5, 0, false, 0);
            answers.add("set " + name + " "
                    + Errno.name(guest.errno(new XattrRequest.Setxattr(file, in, Name.of(name), bytes("guest")))));
            answers.add("then " + get(guest, file, name) + " among " + list(guest, file));
        }
        for (String name : NAMES.subList(0, 3)) {
            answers.add("remove " + name + " "
                    + Errno.name(guest.errno(new XattrRequest.Removexattr(file, Name.of(name)))));
        }
        answers.add("at last " + list(guest, file));
        return answers;
    }

    private static String get(BriefGuest guest, InHeader file, String name) throws Exception {
        return text(guest.ask(new XattrRequest.Getxattr(file, new GetxattrIn(1000), Name.of(name))));
    }

    private static String list(BriefGuest guest, InHeader file) throws Exception {
        String list = text(guest.ask(new XattrRequest.Listxattr(file, new GetxattrIn(1000))));
        return Stream.of(list.split("\0", -1)).sorted().distinct().collect(Collectors.joining(" "));
    }

    private static String text(Returned returned) throws Exception {
        if (returned.errno() != 0) {
            return Errno.name(returned.errno());
        }
        WireReader payload = returned.payload();
        return new String(payload.take(payload.remaining()).toBytes(), StandardCharsets.UTF_8);
    }

    private static Buffers bytes(String text) {
        return Buffers.ofBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
