package vitrine.conformance.qemu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.guest.qemu.Hardware;
import vitrine.guest.qemu.KernelModule;
import vitrine.guest.qemu.QemuGuest;
import vitrine.guest.qemu.Result;
import vitrine.guest.qemu.Share;

/// A guest that is an NFS server: it exports what we share with it, and is its own client.
class NfsExportTest {

    private static final Path MODULES = Path.of("/lib/modules");

    // Who may mount what is told to the server's caches by hand; mountd(8) would do the same. 9218
    // is an export with a number for a device, to any port, without looking up to its root.
    private static final String SERVE = """
            for module in $(cat modules/order); do insmod modules/$module.ko || exit 1; done
            ifconfig lo 127.0.0.1 up
            mount -t nfsd nfsd /proc/fs/nfsd
            echo 10 > /proc/fs/nfsd/nfsv4gracetime
            echo -3 +4 +4.2 > /proc/fs/nfsd/versions
            echo nfsd 127.0.0.1 2147483647 local > /proc/net/rpc/auth.unix.ip/channel
            echo local $PWD 2147483647 9218 0 0 0 > /proc/net/rpc/nfsd.export/channel
            echo "local 1 \\x00000000 2147483647 $PWD" > /proc/net/rpc/nfsd.fh/channel
            echo tcp 2049 > /proc/fs/nfsd/portlist
            echo 2 > /proc/fs/nfsd/threads
            echo Y > /proc/fs/nfsd/v4_end_grace 2>&-
            mkdir /nfs
            mount -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,sec=sys 127.0.0.1:/ /nfs || exit 1
            """;

    private static final String USE = """
            share=$PWD
            echo hello > /nfs/made
            cat $share/made
            mkdir /nfs/dir
            echo inner > /nfs/dir/inner
            cd /nfs/dir
            mv $share/dir $share/moved
            echo 3 > /proc/sys/vm/drop_caches
            cat inner
            ls
            rm inner
            ls $share/moved
            cd /
            rmdir /nfs/moved
            umount /nfs
            echo 0 > /proc/fs/nfsd/threads
            echo done
            """;

    @TempDir
    Path folder;

    /// A client has file handles that the server has to understand after its kernel has dropped all
    /// that it knew of the files, and although they are called something else by now: LOOKUP of `.`
    /// with a nodeid that was forgotten.
    ///
    /// Caught: EXPORT_SUPPORT not agreed on; LOOKUP of `.` that knows no forgotten file.
    @Test
    void aGuestExportsItsShareByNfs() throws Exception {
        Needs.root();
        Needs.tool("qemu-system-x86_64", "qemu-system-x86");
        Needs.tool("busybox", "busybox-static");
        String release = releaseWithNfs();
        Path share = Files.createDirectory(folder.resolve("share"));
        addModules(release, Files.createDirectory(share.resolve("modules")));
        Hardware hardware = Hardware.small().under("/boot/vmlinuz-" + release).within(Duration.ofMinutes(4));

        Result result = new QemuGuest(hardware, Share.of(share), TestedDaemon.OURS.program()).run(SERVE + USE);

        assertEquals("hello\ninner\ninner\ndone\n", result.output(), () -> result.errors() + result.exitCode());
        assertEquals("hello\n", Files.readString(share.resolve("made")));
        assertEquals(0, result.daemonStatus());
    }

    /// A kernel in /boot whose modules are on this machine, with both ends of NFS among them.
    private static String releaseWithNfs() throws Exception {
        try (Stream<Path> releases = Files.exists(MODULES) ? Files.list(MODULES) : Stream.empty()) {
            List<String> withNfs = releases.filter(modules -> Files.exists(modules.resolve("kernel/fs/nfsd"))
                            && Files.exists(modules.resolve("kernel/fs/nfs")))
                    .map(modules -> modules.getFileName().toString())
                    .filter(release -> Files.exists(Path.of("/boot/vmlinuz-" + release)))
                    .sorted()
                    .toList();
            Needs.that(!withNfs.isEmpty(), "needs a kernel with nfsd: apt-get install linux-image-cloud-amd64");
            return withNfs.getLast();
        }
    }

    private static void addModules(String release, Path into) throws Exception {
        StringBuilder order = new StringBuilder();
        for (KernelModule module : KernelModule.load(MODULES.resolve(release), List.of("nfsd", "nfsv4"))) {
            Files.write(into.resolve(module.name() + ".ko"), module.content());
            order.append(module.name()).append('\n');
        }
        Files.writeString(into.resolve("order"), order);
    }
}
