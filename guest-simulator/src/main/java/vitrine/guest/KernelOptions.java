package vitrine.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import vitrine.guest.kernel.KernelProfile;
import vitrine.guest.kernel.KernelSwitch;

/// The options that say which kernel the simulated guest runs: a version of Linux, and what is
/// otherwise in it.
public final class KernelOptions {

    private static final String USUAL = "6.1";
    private static final int NAMES = 28; // columns

    @Option(
            names = "--linux",
            paramLabel = "VERSION",
            defaultValue = USUAL,
            description = "which Linux the simulated guest's kernel is (in program --guest=qemu: the real one): 5.4,"
                    + " 5.10, 5.11, 5.17, 6.1, 6.12 or 6.18 (default: ${DEFAULT-VALUE})")
    private String version;

    @Option(
            names = "--without",
            paramLabel = "SWITCH",
            split = ",",
            description = "what this kernel would do, and is not to do; the names are listed below")
    private List<String> without = List.of();

    @Option(names = "--with", paramLabel = "SWITCH", split = ",", description = "what it would not do, and is to do")
    private List<String> with = List.of();

    private CommandSpec command;

    /// Which command has these options: its help gets the list of switches.
    @Spec(Spec.Target.MIXEE)
    void setCommand(CommandSpec mixee) {
        command = mixee;
        UsageMessageSpec usage = mixee.usageMessage();
        List<String> sections = new ArrayList<>(usage.sectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_OPTION_LIST) + 1, "switches");
        usage.sectionKeys(sections);
        usage.sectionMap().put("switches", KernelOptions::list);
    }

    private static String list(Help help) {
        int width = help.commandSpec().usageMessage().width();
        TextTable table = TextTable.forColumns(
                help.colorScheme(), new Column(NAMES, 2, Overflow.SPAN), new Column(width - NAMES, 1, Overflow.WRAP));
        for (KernelSwitch each : KernelSwitch.ALL) {
            table.addRowValues(each.name(), each.sentence());
        }
        return String.format("%nSwitches of --with and --without:%n") + table;
    }

    /// The version, as `6.1`.
    public String version() {
        return version;
    }

    /// Whether it is asked for a kernel that is no version of Linux.
    public boolean isChanged() {
        return !without.isEmpty() || !with.isEmpty();
    }

    /// Whether it is asked for another kernel than there is if nothing is said.
    public boolean isUnusual() {
        return isChanged() || !version.equals(USUAL);
    }

    /// The kernel; its name says what is otherwise in it.
    ///
    /// @throws ParameterException if there is no such version or switch, or the version is so
    ///     anyway
    public KernelProfile kernel() {
        KernelProfile kernel = checked("--linux", () -> KernelProfile.ofLinux(version));
        KernelProfile changed = kernel;
        for (String name : without) {
            changed = changed(changed, "--without", name, false);
        }
        for (String name : with) {
            changed = changed(changed, "--with", name, true);
        }
        return changed.named(kernel.name() + changes());
    }

    private KernelProfile changed(KernelProfile kernel, String option, String name, boolean on) {
        KernelSwitch one = checked(option + "=" + name, () -> KernelSwitch.named(name));
        if (one.in().test(kernel) == on) {
            throw new ParameterException(
                    command.commandLine(),
                    option + "=" + name + ": " + kernel.name() + (on ? " does so" : " does not do so") + " anyway");
        }
        UnaryOperator<KernelProfile> change = on ? one.on() : one.off();
        return change.apply(kernel);
    }

    /// ` without killpriv-v2, with statx`, or nothing.
    public String changes() {
        List<String> changes = new ArrayList<>();
        without.forEach(name -> changes.add(" without " + name));
        with.forEach(name -> changes.add(" with " + name));
        return String.join(",", changes);
    }

    private interface Choice<T> {
        T made();
    }

    private <T> T checked(String option, Choice<T> choice) {
        try {
            return choice.made();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), option + ": " + e.getMessage());
        }
    }
}
