package vitrine.guest.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import vitrine.fuse.flag.InitFlag;
import vitrine.guest.MachineOptions;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.dax.DaxMode;
import vitrine.guest.kernel.dax.ExtendingWrite;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.WritePath;

/// A daemon and a guest's kernel, as one of those that are compared.
///
/// @param name for the table
/// @param daemon our daemon's options; what of them other daemons know, they get too
/// @param kernel the guest's
/// @param dax how DAX is used; null if it is not
public record Setting(String name, PassthroughOptions daemon, KernelProfile kernel, Dax dax) {

    private static final int QUEUE_SIZE = 1024; // a request of 1 MiB has its pages in one chain

    Setting(String name, PassthroughOptions daemon, KernelProfile kernel) {
        this(name, daemon, kernel, null);
    }

    /// DAX for all files.
    ///
    /// @param files what is in the window
    /// @param strategy what a write does that makes a file longer
    public record Dax(WindowFiles files, ExtendingWrite strategy) {}

    /// The same with DAX.
    public Setting withDax(WindowFiles files, ExtendingWrite strategy) {
        return new Setting(name, daemon, kernel, new Dax(files, strategy));
    }

    /// The same with another kernel; if it is about one that does not know HANDLE_KILLPRIV_V2, this
    /// one does not either.
    Setting withKernel(KernelProfile other) {
        return new Setting(name, daemon, knowsV2() ? other : other.without(InitFlag.HANDLE_KILLPRIV_V2), dax);
    }

    /// Whether its kernel knows HANDLE_KILLPRIV_V2.
    boolean knowsV2() {
        return InitFlag.HANDLE_KILLPRIV_V2.in(kernel.offered());
    }

    /// The same, where a kernel that knows everything is all there is: then the daemon leaves out
    /// what this kernel should not know.
    Setting asAgreed() {
        return new Setting(
                name, daemon.with(Feature.KILLPRIV_V2, daemon.has(Feature.KILLPRIV_V2) && knowsV2()), kernel);
    }

    /// The machine; each has a window of its own.
    MachineOptions machine() {
        MachineOptions options = MachineOptions.DEFAULT
                .withKernel(kernel)
                .withQueueSize(QUEUE_SIZE)
                .withScatteredPages();
        return dax == null
                ? options
                : options.withWindow(dax.files.window()).withDax(DaxMode.ALWAYS).withExtendingWrite(dax.strategy);
    }

    /// Extended attributes, and a server that knows HANDLE_KILLPRIV_V2 or does not.
    public static Setting killpriv(String name, boolean v2) {
        PassthroughOptions options =
                PassthroughOptions.DEFAULT.with(Feature.XATTR).with(Feature.KILLPRIV_V2, v2);
        return new Setting(name, options, KernelProfile.LINUX_6_1);
    }

    /// A kernel with or without HANDLE_KILLPRIV_V2.
    static KernelProfile client(boolean v2) {
        return v2 ? KernelProfile.LINUX_6_1 : KernelProfile.LINUX_6_1.without(InitFlag.HANDLE_KILLPRIV_V2);
    }

    /// The options of a daemon that is a process of its own.
    ///
    /// @param which `ours`, `c`, `rust`, or another command line, which gets none
    String optionsOf(String which) {
        List<String> words = new ArrayList<>();
        boolean xattr = daemon.has(Feature.XATTR);
        boolean v2 = daemon.has(Feature.KILLPRIV_V2);
        boolean direct = daemon.has(Feature.ALLOW_DIRECT_IO);
        switch (which) {
            case "ours" -> {
                add(words, xattr, "--xattr");
                add(words, !v2, "--no-killpriv-v2");
                add(words, direct, "--allow-direct-io");
                String path = daemon.writePath().name().toLowerCase(Locale.ROOT);
                add(words, daemon.writePath() != WritePath.GATHERED, "--write-path=" + path);
            }
            case "c" -> {
                words.add(xattr ? "-o xattr" : "-o no_xattr");
                words.add(v2 ? "-o killpriv_v2" : "-o no_killpriv_v2");
                words.add(direct ? "-o allow_direct_io" : "-o no_allow_direct_io");
            }
            case "rust" -> {
                add(words, xattr, "--xattr");
                add(words, v2, "--killpriv-v2");
                add(words, direct, "--allow-direct-io");
            }
            default -> {} // whoever wrote the command line has decided
        }
        return String.join(" ", words);
    }

    private static void add(List<String> words, boolean condition, String word) {
        if (condition) {
            words.add(word);
        }
    }
}
