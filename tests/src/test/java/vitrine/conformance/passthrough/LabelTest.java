package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.SecurityContext;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.translation.XattrMap;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.Libc;
import vitrine.posix.NextLabel;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Labels that something has from the start (fuse.h: FUSE_SECURITY_CTX), on a host without SELinux:
/// there they are attributes. How SELinux is told of one is looked at with a stand-in for its file.
class LabelTest extends SharedFolder {

    private static final PassthroughOptions LABELS =
            PassthroughOptions.DEFAULT.with(Feature.XATTR, Feature.SECURITY_LABEL);
    private static final String SELINUX = "security.selinux";
    private static final String LABEL = "system_u:object_r:user_home_t:s0";

    @BeforeEach
    void serve() throws Exception {
        serve(LABELS);
    }

    private static Buffers bytes(String text) {
        return Buffers.ofBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Extensions labelled(String attribute) {
        return new Extensions(List.of(), List.of(new SecurityContext(Name.of(attribute), bytes(LABEL))));
    }

    /// The four requests that make something with a name: `file`, `directory`, `fifo`, `link`.
    private List<FuseRequest> creations(Extensions extensions) {
        CreateIn create = new CreateIn(Fcntl.O_CREAT | Fcntl.O_RDWR, 0100644, 0, 0);
        return List.of(
                new FileRequest.Create(guest.header(1), create, Name.of("file"), extensions),
                new DirectoryRequest.Mkdir(guest.header(1), new MkdirIn(0755, 0), Name.of("directory"), extensions),
                new DirectoryRequest.Mknod(guest.header(1), new MknodIn(0010644, 0, 0), Name.of("fifo"), extensions),
                new DirectoryRequest.Symlink(guest.header(1), Name.of("link"), Name.of("anywhere"), extensions));
    }

    private List<String> onHost(String name) throws Exception {
        List<String> labels = new ArrayList<>();
        try (Fd file = guest.sys.openPath(share.resolve(name).toString(), Fcntl.O_PATH | Fcntl.O_NOFOLLOW)) {
            for (Name attribute : guest.sys.listxattr(file)) {
                byte[] room = new byte[100];
                int size = guest.sys.getxattr(file, attribute, Buffers.ofBytes(room));
                labels.add(attribute + "=" + new String(room, 0, size, StandardCharsets.UTF_8));
            }
        }
        return labels;
    }

    /// Whatever is made has its label when the guest is told of it, by the name that a map says.
    ///
    /// Caught: the map not asked.
    @Test
    void whatIsMadeHasItsLabel() throws Exception {
        for (FuseRequest request : creations(labelled(SELINUX))) {
            assertEquals(0, guest.errno(request), request.toString());
        }
        for (String name : List.of("file", "directory", "fifo", "link")) {
            assertEquals(List.of(SELINUX + "=" + LABEL), onHost(name), name);
            Files.delete(share.resolve(name));
        }

        serve(LABELS.withXattrMap(XattrMap.parse(":map:security.:trusted.v.:")));
        for (FuseRequest request : creations(labelled(SELINUX))) {
            assertEquals(0, guest.errno(request), request.toString());
        }
        for (String name : List.of("file", "directory", "fifo", "link")) {
            assertEquals(List.of("trusted.v." + SELINUX + "=" + LABEL), onHost(name), name);
        }
    }

    /// Without its label nothing stays. A name that the guest may not use is none for a label
    /// either.
    ///
    /// Caught: what was made left behind.
    @Test
    void whatCannotHaveItsLabelIsNotMade() throws Exception {
        for (FuseRequest request : creations(labelled("nonsense"))) {
            assertEquals(Errno.EOPNOTSUPP, guest.errno(request), request.toString());
        }
        for (FuseRequest request : creations(labelled(Acl.ACCESS))) {
            assertEquals(Errno.EOPNOTSUPP, guest.errno(request), request.toString());
        }
        try (var left = Files.list(share)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /// What the host has removed before it could have its label needs none.
    ///
    /// Caught: ENOENT.
    @Test
    void whatIsGoneNeedsNoLabel() throws Exception {
        for (FuseRequest request : creations(labelled(SELINUX)).subList(1, 4)) {
            guest.libc.before("openat", this::empty);

            assertEquals(0, guest.errno(request), request.toString());
        }
    }

    private void empty() {
        for (String name : List.of("directory", "fifo", "link")) {
            share.resolve(name).toFile().delete();
        }
    }

    /// A file that is made is open, and gets its label there: one call, and no other file by the
    /// same name.
    ///
    /// Caught: the name opened for it.
    @Test
    void aFileGetsItsLabelWhereItIsOpen() throws Exception {
        guest.mkdir(Guest.ROOT, "mine", 0755); // the thread has found out who it is

        List<String> calls =
                guest.libc.during(() -> guest.ask(creations(labelled(SELINUX)).getFirst()));

        assertEquals(List.of("openat", "setxattr", "openat", "statx"), calls);
    }

    /// Labels that were not agreed on are not looked at; a guest that sends none is refused if it
    /// must.
    ///
    /// Caught: labels set without an agreement.
    @Test
    void labelsAreAgreedOn() throws Exception {
        assertEquals(
                InitFlag.SECURITY_CTX.bit(), guest.init(38, Guest.ALL_FLAGS).allFlags() & InitFlag.SECURITY_CTX.bit());
        guest.init(38, Guest.without(InitFlag.SECURITY_CTX));
        assertEquals(0, guest.errno(creations(labelled(SELINUX)).getFirst()));
        assertEquals(List.of(), onHost("file"));

        serve(LABELS.with(Feature.REQUIRE_SECURITY_LABEL));

        assertEquals(Errno.EPROTO, Guest.errnoOf(() -> guest.init(38, Guest.without(InitFlag.SECURITY_CTX))));
        assertEquals(0, Guest.errnoOf(() -> guest.init(38, Guest.ALL_FLAGS)));
    }

    /// SELinux is told in one write to the beginning of its file, and told nothing at the end
    /// (setfscreatecon(3)).
    ///
    /// Caught: the end written behind the label (the kernel takes no part of one).
    @Test
    void theHostsModuleIsToldBeforeAndAfter() throws Exception {
        Path file = Files.writeString(share.resolve("fscreate"), "");
        List<String> told = new ArrayList<>();
        Syscalls sys = new Syscalls(withFscreate(file, told));

        try (NextLabel _ = new NextLabel(sys, bytes(LABEL))) {
            assertEquals(LABEL, Files.readString(file));
            told.add("made");
        }

        assertEquals(List.of("write " + LABEL.length() + " at 0", "made", "write 0 at 0"), told);
    }

    /// The C library, with a file of ours for `/proc/…/attr/fscreate`, telling what is written.
    private static Libc withFscreate(Path file, List<String> told) {
        Libc real = Libc.load();
        Syscalls sys = new Syscalls(real);
        return (Libc) Proxy.newProxyInstance(
                Libc.class.getClassLoader(), new Class<?>[] {Libc.class}, (_, call, args) -> {
                    if (call.getName().equals("openat")) {
                        return sys.openPath(file.toString(), Fcntl.O_RDWR).number();
                    }
                    if (call.getName().equals("write")) {
                        told.add("write " + args[2] + " at " + real.lseek((int) args[0], 0, Fcntl.SEEK_CUR));
                    }
                    try {
                        return call.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
