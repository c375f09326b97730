package vitrine.daemon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Locale;
import vitrine.posix.Capability;
import vitrine.posix.Credentials;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Libc;
import vitrine.posix.Sandbox;
import vitrine.posix.Syscalls;

/// Who gets in, and what those inside can reach.
final class Confinement {

    private Confinement() {}

    /// Lets the members of a group connect to a socket.
    ///
    /// @throws IOException if there is no such group
    static void letIn(String group, Path socket) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
        try {
            view.setGroup(socket.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(group));
            view.setPermissions(PosixFilePermissions.fromString("rwxrwx---"));
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("--socket-group=" + group + ": there is no such group", e);
        }
    }

    /// Takes the process into a user namespace if it needs one: for ids of others, or because
    /// without one it may not make the namespaces of a sandbox. It is started anew for that, and
    /// this is called once more, inside.
    ///
    /// @throws IOException if there cannot be one, saying what to do
    static void enterUserNamespace(DaemonOptions options) throws ErrnoException, IOException {
        boolean forSandbox = options.sandbox == Sandbox.NAMESPACE && !isRoot();
        if (options.inUserNamespace || !forSandbox && !options.userNamespace.isGiven()) {
            return;
        }
        Syscalls sys = new Syscalls(Libc.load());
        if (!options.userNamespace.isGiven() && Capability.SYS_ADMIN.isHeld(sys)) {
            return;
        }
        if (options.socketGroup != null) {
            throw new IOException("--socket-group: not in a user namespace, where groups have other numbers; make the"
                    + " socket yourself, and hand it over with --fd");
        }
        options.userNamespace.enter(sys);
    }

    /// Whether the daemon is root, if only in a user namespace.
    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /// Takes the calling thread into the sandbox, and with it all that will serve the guest.
    ///
    /// @return the path of the shared directory from there
    static String enter(DaemonOptions options, Syscalls sys) throws ErrnoException {
        Sandbox sandbox = sandbox(options);
        try {
            openJars();
            String share = sandbox.enter(sys, options.sharedDir.toAbsolutePath().toString());
            if (options.inUserNamespace) {
                Credentials.becomeRoot(sys);
            }
            Capability.keepOnly(options.capabilities, sys);
            options.systemCalls.enter(sys);
            return share;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EPERM && sandbox != Sandbox.NONE) {
                throw new ErrnoException(
                        e.call() + " for --sandbox=" + sandbox.name().toLowerCase(Locale.ROOT)
                                + " (there are --sandbox=chroot and none as well)",
                        e.errno());
            }
            throw e;
        }
    }

    private static Sandbox sandbox(DaemonOptions options) {
        if (options.sandbox != null) {
            return options.sandbox;
        }
        return isRoot() || options.inUserNamespace ? Sandbox.NAMESPACE : Sandbox.NONE;
    }

    /// A class that is loaded later is to be found from inside as well. Who looks for what is
    /// nowhere opens them all.
    private static void openJars() {
        ClassLoader.getSystemClassLoader().resources("nowhere").forEach(_ -> {});
    }
}
