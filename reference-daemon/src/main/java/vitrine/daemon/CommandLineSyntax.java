package vitrine.daemon;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.WritePath;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.posix.Sandbox;
import vitrine.posix.SyscallFilter;

/// Which options there are, and what `--help` says about them.
///
/// picocli could read all this from annotations, and for the other commands it does. But to read
/// annotations takes the JVM as long as all the rest of the daemon's start.
public final class CommandLineSyntax {

    private static final String[] FOOTER = {
        "",
        "The older spelling is understood too: -o source=DIR,cache=MODE,xattr,…",
        "",
        "Example, and the QEMU options that go with it:",
        "  ./vitrine daemon --socket-path=/tmp/share.sock --shared-dir=/srv/share",
        "  qemu-system-x86_64 … -object memory-backend-memfd,id=mem,size=1G,share=on \\",
        "    -numa node,memdev=mem -chardev socket,id=share,path=/tmp/share.sock \\",
        "    -device vhost-user-fs-pci,chardev=share,tag=share",
        "and in the guest:  mount -t virtiofs share /mnt"
    };

    private final CommandSpec spec =
            CommandSpec.create().name("./vitrine daemon").version("vitrine 0.1.0");
    private final OptionKinds add = new OptionKinds(spec);

    private CommandLineSyntax() {
        spec.usageMessage()
                .customSynopsis("./vitrine daemon --shared-dir=DIR --socket-path=PATH [OPTION...]")
                .description("Serves a directory to a virtual machine, as a vhost-user back end of virtio-fs.")
                .footer(FOOTER)
                .sortOptions(false)
                .autoWidth(true);
    }

    /// A parser for the daemon's command line; what it finds is for [DaemonOptions].
    public static CommandLine parser() {
        CommandLineSyntax syntax = new CommandLineSyntax();
        syntax.connection();
        syntax.fileSystem();
        syntax.attributes();
        syntax.identities();
        syntax.descriptors();
        syntax.window();
        MigrationSyntax.addTo(syntax.spec);
        syntax.device();
        syntax.confinement();
        syntax.process();
        return new CommandLine(syntax.spec)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOverwrittenOptionsAllowed(true) // scripts add options to those that are there
                .setExpandAtFiles(false); // @x is a directory, not a file of options
    }

    private void connection() {
        add.value("--shared-dir", "DIR", Path.class, "The directory to share.");
        add.value("--socket-path", "PATH", Path.class, "Make a vhost-user socket here and wait for QEMU to connect.");
        add.value("--socket-group", "GROUP", String.class, "Who else may connect: members of this group.");
        add.value("--fd", "N", Integer.class, "Or: use this file descriptor, a socket that listens already.");
    }

    private void fileSystem() {
        add.choice(
                "--cache",
                CachePolicy.class,
                "How long the guest may believe what it has seen: never (or none), metadata,"
                        + " auto (one second), always (a day). Default: auto.",
                "none=never");
        add.value(
                "--timeout",
                "SECONDS",
                Double.class,
                "For how long names and attributes are believed, instead of what --cache says.");
        add.yesOrNo("--writeback", "The guest may delay writes: fast, and lost if the guest dies. Default: off.");
        add.yesOrNo(
                "--readdirplus",
                "Whether attributes come along with directory listings. Default: unless --cache=never.");
        add.yesOrNo("--allow-direct-io", "O_DIRECT in the guest passes by the host's page cache too. Default: off.");
        add.yesOrNo("--allow-mmap", "Shared mappings of files although --cache=never or metadata. Default: off.");
        add.noOrYes(
                "--no-announce-submounts", "Whether a mount inside the share is a mount in the guest. Default: it is.");
        add.noOrYes(
                "--no-idmapped-mounts",
                "Whether mounts in the guest may map identities. If so, the guest says who asks only where"
                        + " something is made, and chown(-1, -1) leaves set-ID bits. Default: they may.");
        add.yesOrNo(
                "--posix-lock",
                "Locks of fcntl(2) hold against other guests and the host, too. A program that waits"
                        + " for one cannot be killed. Default: off, they hold within the guest.");
        add.yesOrNo("--flock", "The same for locks of flock(2). Default: off.");
    }

    private void attributes() {
        add.yesOrNo("--xattr", "Extended attributes. Default: off.");
        add.value(
                "--xattrmap",
                "RULES",
                String.class,
                "What extended attributes are called on the host, and --xattr. For example ':map::user.virtiofs.:'"
                        + " keeps all as user.virtiofs.NAME; the grammar is that of the other virtiofsds.");
        add.demand(
                "--posix-acl",
                "ACLs of the host are the guest's, and --xattr: never, auto (if the guest's kernel can),"
                        + " always (no mount without). Default: never, and always for the bare option.");
        add.demand(
                "--security-label",
                "What is made has the label of the guest's security module from the start, and --xattr: never,"
                        + " auto, always. Needs SELinux on the host, or --modcaps=+sys_admin. Default: never, and"
                        + " always for the bare option.");
        add.noOrYes(
                "--no-killpriv-v2",
                "Whether the guest leaves the clearing of set-ID bits to the daemon. Default: it does.");
        add.yes("--readonly", "The guest may change nothing. Access times are the host's own business.");
        add.yes(
                "--preserve-noatime",
                "O_NOATIME in the guest counts on the host. Only for a daemon that is root, or owns the files.");
    }

    private void descriptors() {
        add.choice(
                "--inode-file-handles",
                FileHandleUse.class,
                "What a file costs that the guest knows and has not open: never, a descriptor; mandatory, none, and"
                        + " what the host deletes is gone (needs CAP_DAC_READ_SEARCH and host file handles);"
                        + " prefer (or fallback), a descriptor until they are short. Default: prefer.",
                "fallback=prefer");
        add.value(
                "--rlimit-nofile",
                "N",
                Long.class,
                "How many files the daemon may have open, most of them for the guest; 0: as it is. Default: 1000000.");
    }

    private void window() {
        add.value(
                "--dax",
                "MODE",
                String.class,
                "Which files the guest is told to use through a DAX window, a part of its memory that is the"
                        + " host's page cache: never, always, attr (those that chattr +x has marked on the host),"
                        + " size (those of 1M or more) or size=N. Takes Linux 6.9 and the right to mount. Default:"
                        + " never, and no window.");
        add.value("--dax-window", "SIZE", String.class, "How large it is: a power of two, 4M to 512M. Default: 128M.");
        add.value(
                "--dax-flag-cache",
                "ON",
                String.class,
                "With --dax=attr: off asks for a file's mark with each LOOKUP, which costs three system calls."
                        + " Default: on, it is asked for again when the file's ctime has moved.");
    }

    private void identities() {
        add.rules(
                "--translate-uid",
                "What a user of the guest's is on the host, and back: map:GUEST:HOST:COUNT, guest:…, host:…,"
                        + " squash-guest:…, squash-host:…, forbid-guest:GUEST:COUNT. More than once.");
        add.rules("--translate-gid", "The same for groups.");
        add.rules(
                "--uid-map",
                "For a daemon that is not root: which users there are, for it and the guest, and who they are on the"
                        + " host; :0:1000:1: and :1:100000:65535:, for example. /etc/subuid has to grant them, except"
                        + " for the daemon's own. More than once.");
        add.rules("--gid-map", "The same for groups.");
        spec.addOption(OptionKinds.option(UserNamespace.INSIDE).hidden(true).build()); // for itself
    }

    private void device() {
        add.value(
                "--num-request-queues",
                "N",
                Integer.class,
                "Request queues, each served by a thread of its own, 1 to 63. Default: 1.");
        add.choice(
                "--write-path",
                WritePath.class,
                "How the data of a write gets into the host's file: gathered, by the host's kernel from"
                        + " where the guest has put it; or, to see what that costs: bounced, copied into one piece"
                        + " first, or piecewise, with a system call for each piece. Default: gathered.");
        add.value(
                "--tag",
                "TAG",
                String.class,
                "The tag that the guest mounts by, for front ends that leave it to the daemon.");
    }

    private void confinement() {
        add.value(
                "--sandbox",
                "MODE",
                Sandbox.class,
                "Where the threads that serve the guest live: namespace (only the shared directory"
                        + " exists, and no network), chroot (only the shared directory), none."
                        + " Default: namespace for root and with --uid-map; none for others, as theirs takes a user"
                        + " namespace, and starting twice.");
        add.choice(
                "--seccomp",
                SyscallFilter.class,
                "What becomes of a system call of theirs that no daemon makes (execve, say): deny, it fails; kill, the"
                        + " process ends; trap, it gets SIGSYS; log, it is made, and noted in the kernel's log;"
                        + " none, it is made. Default: deny.");
        add.value(
                "--modcaps",
                "+CAP:-CAP",
                String.class,
                "Capabilities that they have beyond the usual (chown, dac_override, dac_read_search,"
                        + " fowner, fsetid, setgid, setuid, linux_immutable, mknod, setfcap), or have not."
                        + " Trusted extended attributes need +sys_admin.");
    }

    private void process() {
        add.value(
                "--capture", "FILE", Path.class, "Record everything, for ./vitrine trace FILE or Wireshark (pcapng).");
        add.value("--capture-socket", "PATH", Path.class, "Tell ./vitrine view --socket PATH what happens now.");
        add.yes("--keep-listening", "When the front end leaves, wait for the next one instead of ending.");
        add.value("--log-level", "LEVEL", String.class, "error, warn, info, debug or off. Default: info.");
        add.yes("--syslog", "Log to the system's log instead of standard error.");
        add.value(
                "--thread-pool-size",
                "N",
                Integer.class,
                "Understood and not needed: a queue has one thread, which waits for no other.");
        add.yes("--print-capabilities", "Print what management tools ask for, as JSON, and end.");
        spec.addOption(OptionKinds.option("-f").hidden(true).build()); // stay in the foreground, as always
        spec.addOption(OptionKinds.option("-h", "--help")
                .usageHelp(true)
                .description("Show this help message and exit.")
                .build());
        spec.addOption(OptionKinds.option("-V", "--version")
                .versionHelp(true)
                .description("Print version information and exit.")
                .build());
    }
}
