package vitrine.daemon;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The older spelling of the options, `-o source=DIR,cache=always,xattr`, turned into the newer
/// one.
///
/// Both spellings are in use: libvirt before 10.0 and many scripts write the first, everybody else
/// the second. A list item has exactly one long option that means the same, so this is a table and
/// nothing behind it knows that there are two spellings. A comma inside a value is written twice,
/// as QEMU and libvirt do.
public final class OptionList {

    /// List item (up to its `=`) to long option; the value, if there is one, stays as it is.
    private static final Map<String, String> LONG_OPTION = Map.ofEntries(
            Map.entry("source", "--shared-dir"),
            Map.entry("cache", "--cache"),
            Map.entry("timeout", "--timeout"),
            Map.entry("xattr", "--xattr"),
            Map.entry("no_xattr", "--no-xattr"),
            Map.entry("xattrmap", "--xattrmap"),
            Map.entry("writeback", "--writeback"),
            Map.entry("no_writeback", "--no-writeback"),
            Map.entry("readdirplus", "--readdirplus"),
            Map.entry("no_readdirplus", "--no-readdirplus"),
            Map.entry("allow_direct_io", "--allow-direct-io"),
            Map.entry("no_allow_direct_io", "--no-allow-direct-io"),
            Map.entry("announce_submounts", "--announce-submounts"),
            Map.entry("no_announce_submounts", "--no-announce-submounts"),
            Map.entry("killpriv_v2", "--killpriv-v2"),
            Map.entry("no_killpriv_v2", "--no-killpriv-v2"),
            Map.entry("posix_lock", "--posix-lock"),
            Map.entry("no_posix_lock", "--no-posix-lock"),
            Map.entry("flock", "--flock"),
            Map.entry("no_flock", "--no-flock"),
            Map.entry("readonly", "--readonly"),
            Map.entry("preserve_noatime", "--preserve-noatime"),
            Map.entry("dax", "--dax"),
            Map.entry("dax_window", "--dax-window"),
            Map.entry("dax_flag_cache", "--dax-flag-cache"),
            Map.entry("sandbox", "--sandbox"),
            Map.entry("seccomp", "--seccomp"),
            Map.entry("modcaps", "--modcaps"),
            Map.entry("log_level", "--log-level"),
            Map.entry("loglevel", "--log-level"),
            Map.entry("debug", "--log-level=debug"),
            Map.entry("posix_acl", "--posix-acl"),
            Map.entry("no_posix_acl", "--posix-acl=never"),
            Map.entry("security_label", "--security-label"),
            Map.entry("no_security_label", "--security-label=never"));

    /// What has another name today, but for the list.
    private static final Map<String, String> OTHER_NAME =
            Map.of("-d", "--log-level=debug", "--socket", "--socket-path");

    private OptionList() {}

    /// The whole table, for documents.
    public static Map<String, String> longOptions() {
        return LONG_OPTION;
    }

    /// Replaces each `-o LIST`, and each option that has another name today, by the long options
    /// that it stands for.
    ///
    /// @param arguments the command line
    /// @return the same with long options only, in the same order, so that a later one still wins
    /// @throws IllegalArgumentException naming the item that is not known, or the missing list
    static List<String> expand(String... arguments) {
        List<String> expanded = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (argument.equals("-o")) {
                if (++i == arguments.length) {
                    throw new IllegalArgumentException("-o needs a list of options, as in: -o source=DIR,cache=auto");
                }
                expandList(arguments[i], expanded);
            } else if (argument.startsWith("-o") && !argument.startsWith("--")) {
                expandList(argument.substring(2), expanded);
            } else {
                String[] nameAndValue = argument.split("=", 2);
                nameAndValue[0] = OTHER_NAME.getOrDefault(nameAndValue[0], nameAndValue[0]);
                expanded.add(String.join("=", nameAndValue));
            }
        }
        return expanded;
    }

    private static void expandList(String list, List<String> expanded) {
        for (String item : items(list)) {
            String[] nameAndValue = item.split("=", 2);
            String option = LONG_OPTION.get(nameAndValue[0]);
            if (option == null) {
                throw new IllegalArgumentException("-o " + item + ": no such option; see --help for those there are");
            }
            if (!option.isEmpty()) {
                expanded.add(nameAndValue.length == 1 ? option : option + "=" + nameAndValue[1]);
            }
        }
    }

    private static List<String> items(String list) {
        List<String> items = new ArrayList<>();
        StringBuilder item = new StringBuilder();
        for (int i = 0; i < list.length(); i++) {
            boolean comma = list.charAt(i) == ',';
            if (comma && i + 1 < list.length() && list.charAt(i + 1) == ',') {
                item.append(',');
                i++;
            } else if (comma) {
                items.add(item.toString());
                item.setLength(0);
            } else {
                item.append(list.charAt(i));
            }
        }
        items.add(item.toString());
        return items;
    }
}
