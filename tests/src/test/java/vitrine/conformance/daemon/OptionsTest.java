package vitrine.conformance.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import vitrine.conformance.posix.Mounted;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitOut;
import vitrine.guest.frontend.Frontend;
import vitrine.posix.Errno;
import vitrine.wire.Name;

/// Both spellings of each option mean the same, and what they say: seen from the guest.
class OptionsTest {

    @TempDir
    Path temporary;

    /// What a guest can see of the options.
    ///
    /// @param flags those flags of INIT that depend on options
    /// @param timeout for how long an entry is believed, in seconds
    /// @param xattr what GETXATTR of an attribute that is not there is answered with
    /// @param unlink what UNLINK of a name that is not there is answered with
    record Seen(List<InitFlag> flags, long timeout, int xattr, int unlink) {

        Seen readOnly() {
            return new Seen(flags, timeout, xattr, Errno.EROFS);
        }
    }

    record Case(Seen seen, String... arguments) {
        @Override
        public String toString() {
            return String.join(" ", arguments);
        }
    }

    private static final InitFlag[] OPTIONAL = {
        InitFlag.DO_READDIRPLUS,
        InitFlag.WRITEBACK_CACHE,
        InitFlag.HANDLE_KILLPRIV_V2,
        InitFlag.SUBMOUNTS,
        InitFlag.DIRECT_IO_ALLOW_MMAP,
        InitFlag.POSIX_LOCKS,
        InitFlag.FLOCK_LOCKS,
        InitFlag.POSIX_ACL,
        InitFlag.SECURITY_CTX
    };

    static Stream<Case> cases() {
        Seen normal = seen(1, Errno.ENOSYS, 0, 2, 3);
        Seen all = seen(86_400, Errno.ENODATA, 1, 4);
        Seen bare = seen(0, Errno.ENOSYS);
        return Stream.of(
                new Case(normal),
                new Case(normal, "--cache", "auto", "--no-xattr", "--no-writeback", "--killpriv-v2", "-f"),
                new Case(normal, "-o", "no_posix_lock,no_flock,no_posix_acl,no_security_label,killpriv_v2,debug"),
                new Case(seen(1, Errno.ENOSYS, 0, 2, 3, 5, 6), "--posix-lock", "--flock"),
                new Case(seen(1, Errno.ENOSYS, 0, 2, 3, 5, 6), "-o", "posix_lock,flock"),
                new Case(
                        all,
                        "--cache=always",
                        "--xattr",
                        "--writeback",
                        "--no-readdirplus",
                        "--no-killpriv-v2",
                        "--no-announce-submounts",
                        "--allow-mmap"),
                new Case(
                        all,
                        "-o",
                        "cache=always,xattr,writeback,no_readdirplus,no_killpriv_v2,no_announce_submounts",
                        "--allow-mmap"),
                new Case(
                        all,
                        "--cache=never",
                        "-ocache=none",
                        "-o",
                        "cache=auto,no_xattr",
                        "-o",
                        "cache=always",
                        "--xattr",
                        "-owriteback,readdirplus",
                        "-o",
                        "no_readdirplus",
                        "--killpriv-v2",
                        "--no-killpriv-v2",
                        "-o",
                        "no_announce_submounts",
                        "--allow-mmap"),
                new Case(bare, "--cache=NEVER", "--no-killpriv-v2", "--no-announce-submounts"),
                new Case(bare, "-o", "cache=none", "-o", "no_killpriv_v2,sandbox=none,no_announce_submounts"),
                new Case(seen(1, Errno.ENODATA, 0, 2, 3, 7), "--posix-acl"),
                new Case(seen(1, Errno.ENODATA, 0, 2, 3, 7), "--posix-acl=AUTO", "--no-xattr"),
                new Case(seen(1, Errno.ENODATA, 0, 2, 3, 7), "-o", "posix_acl"),
                new Case(seen(1, Errno.ENODATA, 0, 2, 3, 8), "--security-label"),
                new Case(seen(1, Errno.ENODATA, 0, 2, 3, 8), "-o", "security_label"),
                new Case(normal, "-o", "security_label,no_security_label"),
                new Case(normal, "--posix-acl=always", "-o", "posix_acl=auto,no_posix_acl"),
                new Case(seen(1, Errno.EOPNOTSUPP, 0, 2, 3), "--xattrmap=:unsupported:all:::"),
                new Case(
                        seen(1, Errno.EOPNOTSUPP, 0, 2, 3),
                        "-o",
                        "xattrmap=:ok:all:,,:,,:/unsupported/all///,no_flock"),
                new Case(normal.readOnly(), "--readonly", "--preserve-noatime"),
                new Case(normal.readOnly(), "-o", "readonly,preserve_noatime"),
                new Case(seen(7, Errno.ENOSYS, 0, 2, 3), "-o", "timeout=7.0"));
    }

    private static Seen seen(long timeout, int xattr, int... optional) {
        return new Seen(Arrays.stream(optional).mapToObj(i -> OPTIONAL[i]).toList(), timeout, xattr, Errno.ENOENT);
    }

    /// Of an option that is given twice the last one counts, in whichever spelling.
    ///
    /// Caught: `setOverwrittenOptionsAllowed(true)` removed; `no_killpriv_v2` that means its
    /// opposite.
    @ParameterizedTest
    @MethodSource("cases")
    void anOptionMeansWhatItSaysInBothSpellings(Case line) throws Exception {
        Needs.root();
        Path share = Files.createDirectory(temporary.resolve("share"));
        Files.createFile(share.resolve("file"));

        try (DaemonProcess daemon = DaemonProcess.serving(temporary, share, line.arguments);
                Frontend frontend = daemon.connect()) {
            assertEquals(line.seen, look(frontend));
        }
    }

    /// What the guest knows and has not open is gone with `mandatory` when it is deleted on the
    /// host, and stays what it is with the others; `fallback` is what others call `prefer`.
    ///
    /// Caught: `withFileHandles` left out of `DaemonOptions.fileSystem`.
    @ParameterizedTest
    @CsvSource({"mandatory, true", "MANDATORY, true", "prefer, false", "fallback, false", "never, false", "'', false"})
    void fileHandlesDecideWhatADeletedFileIs(String use, boolean gone) throws Exception {
        Needs.root();
        Path share = Files.createDirectory(temporary.resolve("share"));
        try (Mounted _ = Mounted.tmpfs(share);
                DaemonProcess daemon = DaemonProcess.serving(
                        temporary, share, use.isEmpty() ? "--xattr" : "--inode-file-handles=" + use);
                Frontend frontend = daemon.connect()) {
            Path file = Files.createFile(share.resolve("file"));
            BriefGuest guest = new BriefGuest(frontend);
            assertEquals(0, guest.errno(BriefGuest.INIT));
            InHeader header = InHeader.of(4, guest.lookup("file").nodeid(), 0, 0, 0);

            Files.delete(file);

            FuseRequest getattr = new InodeRequest.Getattr(header, new GetattrIn(0, 0));
            assertEquals(gone ? Errno.ESTALE : 0, guest.errno(getattr));
        }
    }

    /// A comma in a directory's name is doubled in a list, as QEMU and libvirt do.
    ///
    /// Caught: the list cut at each comma.
    @Test
    void aDoubledCommaIsAComma() throws Exception {
        Needs.root();
        Path share = Files.createDirectory(temporary.resolve("a,b,,c"));
        Files.createFile(share.resolve("file"));
        String list = "source=" + share.toString().replace(",", ",,") + ",xattr";

        try (DaemonProcess daemon = DaemonProcess.serving(temporary, Path.of("/nowhere"), "-o", list);
                Frontend frontend = daemon.connect()) {
            assertEquals(Errno.ENODATA, look(frontend).xattr());
        }
    }

    /// virtio 1.3, 5.11.4: the configuration space has the tag and the number of request queues.
    @Test
    void tagAndQueuesAreInTheConfigurationSpace() throws Exception {
        try (DaemonProcess daemon =
                        DaemonProcess.serving(temporary, temporary, "--tag=übersicht", "--num-request-queues=3");
                Frontend frontend = daemon.connect()) {
            byte[] config = frontend.config(0, 40);

            assertEquals(4, frontend.queueCount());
            assertEquals("übersicht", new String(config, 0, 36, StandardCharsets.UTF_8).trim());
            assertEquals(3, config[36]);
        }
    }

    private static Seen look(Frontend frontend) throws Exception {
        BriefGuest guest = new BriefGuest(frontend);
        long flags = InitOut.decode(guest.ask(BriefGuest.INIT).payload()).allFlags();
        EntryOut entry = guest.lookup("file");
        InHeader file = InHeader.of(4, entry.nodeid(), 0, 0, 0);
        int xattr = guest.errno(new XattrRequest.Getxattr(file, new GetxattrIn(0), Name.of("user.nothing")));
        List<InitFlag> optional = new ArrayList<>(List.of(OPTIONAL));
        optional.removeIf(flag -> !flag.in(flags));
        int unlink = guest.errno(new DirectoryRequest.Unlink(BriefGuest.ROOT, Name.of("none")));
        return new Seen(optional, entry.entryValid(), xattr, unlink);
    }
}
