package vitrine.guest.qemu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// How Debian packs its kernels for virtual machines.
///
/// ```
///   linux-image-cloud-amd64 ──► linux-image-6.12.107+deb13-cloud-amd64      image and modules
///   linux-image-cloud-amd64 ──► linux-image-7.2.12+deb14-cloud-amd64 ──┬──► linux-binary-7.2.12+…
///                                                                      └──► linux-modules-7.2.12+…
/// ```
final class KernelPackages {

    private static final String BEGINNING = "linux-image-";
    private static final String END = "-cloud-amd64";
    private static final Pattern NAME = // of one with a version; no kernel for real time, none that is not signed
            Pattern.compile(BEGINNING + "\\d+(\\.\\d+)+(\\+[a-z0-9]+)?(-\\d+)?" + END);
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*([+-][a-z0-9+-]*)?");
    private static final Pattern NUMBERS = Pattern.compile("\\D+");
    private static final String NEWEST = "newest";

    private static final Comparator<String> BY_VERSION = Comparator.comparing(KernelPackages::numbers, Arrays::compare);

    private KernelPackages() {}

    /// The package that a person means with `newest` or with a version such as `6.12`, which may be
    /// the beginning of one. Everything else is a package's name already.
    static String named(String kernel, PackageCache cache)
            throws GuestFailedException, IOException, InterruptedException {
        boolean newest = kernel.equals(NEWEST);
        if (!newest && !VERSION.matcher(kernel).matches()) {
            return kernel;
        }
        String beginning = BEGINNING + (newest ? "" : Pattern.quote(kernel) + "(?!\\d)"); // 6.1 is not 6.12
        Predicate<String> meant = Pattern.compile(beginning + ".*").asMatchPredicate();
        List<String> known = new ArrayList<>(versioned(cache.names()));
        Optional<String> kept = known.stream().filter(meant).max(BY_VERSION);
        if (kept.isPresent() && !newest) {
            return kept.get(); // nobody need be asked
        }
        for (Apt apt : cache.sources()) {
            known.addAll(versioned(apt.names(BEGINNING)));
        }
        known.sort(BY_VERSION);
        return known.stream()
                .filter(meant)
                .max(BY_VERSION)
                .orElseThrow(() -> new GuestFailedException("no kernel "
                        + kernel + " for virtual machines among "
                        + known.stream().map(KernelPackages::version).distinct().toList()
                        + "; `./vitrine qemu --setup-newer` makes newer ones known"));
    }

    private static List<String> versioned(List<String> names) {
        return names.stream().filter(NAME.asMatchPredicate()).toList();
    }

    private static String version(String name) {
        return name.substring(BEGINNING.length(), name.length() - END.length());
    }

    private static long[] numbers(String name) {
        return NUMBERS.splitAsStream(name)
                .filter(number -> !number.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /// The packages that have the files of the one with this name.
    static List<String> contents(String name, Apt apt) throws GuestFailedException, IOException, InterruptedException {
        List<String> needs = apt.depends(name);
        List<String> parts = needs.stream()
                .filter(need -> need.startsWith("linux-binary-") || need.startsWith("linux-modules-"))
                .toList();
        if (!parts.isEmpty()) {
            return parts;
        }
        Optional<String> image =
                needs.stream().filter(need -> need.startsWith(BEGINNING)).findFirst();
        return image.isPresent() ? contents(image.get(), apt) : List.of(name);
    }
}
