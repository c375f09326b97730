package vitrine.conformance.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import vitrine.conformance.rules.Needs;

/// A user who is not root and has been granted ids of others (subuid(5)).
///
/// The grant is in files that lie over those of `/etc` in a mount namespace of the user's own, so
/// the host knows nothing of it.
final class Tenant {

    static final int UID = 4242;
    static final int GID = 4343;
    static final int FIRST_UID = 200_000;
    static final int FIRST_GID = 300_000;
    static final int GRANTED = 65_536;

    /// What libvirt passes on for a user with a grant.
    static final List<String> OPTIONS_OF_LIBVIRT = List.of(
            "--uid-map=:0:" + UID + ":1:",
            "--uid-map=:1:" + FIRST_UID + ":" + GRANTED + ":",
            "--gid-map=:0:" + GID + ":1:",
            "--gid-map=:1:" + FIRST_GID + ":" + GRANTED + ":");

    private static final String ENTER =
            "for f in passwd subuid subgid; do mount --bind \"$0/$f\" /etc/$f || exit; done;" + " exec setpriv --reuid="
                    + UID + " --regid=" + GID + " --groups=" + GID + ",4444 \"$@\"";

    private final Path directory;
    private final String classPath;

    /// @param directory for the grant, and for a class path that the user can read
    Tenant(Path directory) throws Exception {
        Needs.root();
        Needs.tool("newuidmap", "uidmap");
        Needs.tool("unshare", "util-linux");
        Needs.file("/etc/subuid", "touch /etc/subuid /etc/subgid");
        this.directory = Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(
                directory.resolve("passwd"),
                "root:x:0:0::/root:/bin/sh\ntenant:x:" + UID + ":" + GID + "::/:/bin/sh\n");
        Files.writeString(directory.resolve("subuid"), "tenant:" + FIRST_UID + ":" + GRANTED + "\n");
        Files.writeString(directory.resolve("subgid"), "tenant:" + FIRST_GID + ":" + GRANTED + "\n");
        Path jars = Files.createDirectory(directory.resolve("jars"));
        Files.setPosixFilePermissions(jars, PosixFilePermissions.fromString("rwxr-xr-x"));
        classPath = JarredClassPath.copiedTo(jars);
        Needs.that(
                can("unshare", "--user", "--map-users=" + FIRST_UID + ",0,1", "true"),
                "needs user namespaces for who is not root: util-linux 2.38, and sysctl"
                        + " kernel.apparmor_restrict_unprivileged_userns=0, kernel.unprivileged_userns_clone=1");
        Needs.that(
                can("test", "-x", System.getProperty("java.home") + "/bin/java"),
                "needs a JDK that everybody may run: one that is not in root's home directory");
    }

    private boolean can(String... words) throws Exception {
        return new ProcessBuilder(command(List.of(words))).inheritIO().start().waitFor() == 0;
    }

    /// Gives a file or directory to the user.
    static Path owns(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", UID);
        Files.setAttribute(path, "unix:gid", GID);
        return path;
    }

    /// The same command, made by the user.
    List<String> command(List<String> command) {
        List<String> words = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", ENTER, directory.toString()));
        words.addAll(command);
        words.replaceAll(word -> word.equals(JarredClassPath.get()) ? classPath : word);
        return words;
    }
}
