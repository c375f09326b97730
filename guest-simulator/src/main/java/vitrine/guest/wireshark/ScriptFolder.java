package vitrine.guest.wireshark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Where this user's Wireshark looks for scripts.
final class ScriptFolder {

    private static final String LABEL = "Personal Lua Plugins:";
    private static final int PATIENCE_IN_SECONDS = 20;

    private ScriptFolder() {}

    /// What tshark says, or, without one, where it is by default.
    static Path ofTheUser() {
        return said("-G", "folders")
                .lines()
                .filter(line -> line.startsWith(LABEL))
                .map(line -> Path.of(line.substring(LABEL.length()).strip()))
                .findFirst()
                .orElse(Path.of(System.getProperty("user.home"), ".local", "lib", "wireshark", "plugins"));
    }

    /// Why the script would not run, if there is a reason.
    static Optional<String> whatIsMissing() {
        String version = said("--version");
        if (version.isEmpty()) {
            return Optional.of("Note: there is no tshark on the PATH (Debian: apt-get install tshark).");
        }
        return version.replace("\n", " ").contains("with Lua")
                ? Optional.empty()
                : Optional.of("Note: this tshark is built without Lua, and will not run it.");
    }

    /// What tshark prints, empty if there is none.
    private static String said(String... arguments) {
        List<String> command = new ArrayList<>(List.of("tshark"));
        command.addAll(List.of(arguments));
        try {
            Process tshark = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(tshark.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            tshark.waitFor(PATIENCE_IN_SECONDS, TimeUnit.SECONDS);
            return text;
        } catch (IOException _) {
            return "";
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
