package vitrine.guest.hostile;

import static vitrine.guest.hostile.Lie.each;
import static vitrine.guest.hostile.Session.ROOT;
import static vitrine.guest.hostile.Session.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.RenameIn;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Bytes that are no request (fuse.h: struct fuse_in_header, and the struct of each opcode).
final class RequestLies {

    private static final int HEADER = 40;
    private static final int OPCODE = 4; // where it lies in the header
    private static final int EXTENSIONS = 36; // of which length in units of 8 bytes
    private static final int REPLY_HEADER = 16;
    private static final int GETATTR_REPLY = 120;

    private RequestLies() {}

    static List<Lie> all() {
        return Stream.of(lengths(), counts(), names(), answers())
                .flatMap(List::stream)
                .toList();
    }

    private static Lie lie(String claim, String right, Lie.Telling telling) {
        return new Lie("Requests", claim, right, telling);
    }

    private static List<Lie> lengths() {
        return List.of(
                lie(
                        "fewer bytes than a header has",
                        Outcome.EMPTY,
                        each(range(1, HEADER), (session, n) -> session.ask(Arrays.copyOf(session.getattr(), n)))),
                lie(
                        "cut off somewhere behind the header",
                        "EINVAL",
                        session -> Outcome.ofAll(requests(session).stream()
                                .flatMap(whole ->
                                        IntStream.range(HEADER, whole.length).mapToObj(n -> cut(whole, n)))
                                .map(session::ask))),
                lie(
                        "more arguments than there can be",
                        "EINVAL",
                        session -> Outcome.ofAll(
                                requests(session).stream().map(whole -> session.ask(cut(whole, whole.length + 8))))),
                lie(
                        "a length beyond what is there",
                        "EINVAL",
                        each(
                                List.of(57, 4096, 1 << 20, Integer.MAX_VALUE, -1),
                                (session, length) -> session.ask(with(session.getattr(), 0, length)))),
                lie(
                        "a length below that of a header",
                        "EINVAL",
                        each(List.of(0, 39), (session, length) -> session.ask(with(session.getattr(), 0, length)))),
                lie(
                        "more extensions than there are bytes",
                        "EINVAL",
                        each(
                                List.of(3, 0x7fff, 0xffff),
                                (session, units) -> session.ask(with(session.getattr(), EXTENSIONS, units)))));
    }

    private static List<Lie> counts() {
        return List.of(
                lie("fewer groups than an extension counts", "EINVAL", session -> {
                    byte[] mkdir = bytes(new DirectoryRequest.Mkdir(
                            session.header(ROOT), new MkdirIn(0755, 0), Name.of("with-groups"), groups()));
                    return Outcome.ofAll(IntStream.of(5, 0x4000_0000, -1)
                            .mapToObj(count -> session.ask(with(mkdir, mkdir.length - 16, count))));
                }),
                lie("fewer files than BATCH_FORGET counts", "EINVAL", session -> {
                    byte[] forget =
                            bytes(new InodeRequest.BatchForget(session.header(0), List.of(new ForgetOne(4711, 1))));
                    return Outcome.ofAll(IntStream.of(2, 0x1000_0000, -1)
                            .mapToObj(count -> session.ask(with(forget, HEADER, count))));
                }),
                lie("less data than WRITE announces", "EINVAL", session -> {
                    byte[] write = bytes(write(session));
                    return Outcome.ofAll(IntStream.of(11, 1 << 20, -1)
                            .mapToObj(size -> session.ask(with(write, HEADER + 16, size))));
                }));
    }

    private static List<Lie> names() {
        return List.of(
                lie("a name without its NUL", "EINVAL", session -> session.ask(lookup(session, "fileX"))),
                lie("a NUL within a name", "EINVAL", session -> session.ask(lookup(session, "fi\0e\0"))),
                lie("no name at all", "EINVAL", session -> session.ask(lookup(session, ""))),
                lie("a name of no bytes", "EINVAL", session -> session.ask(lookup(session, "\0"))),
                lie(
                        "a name that is a path",
                        "EINVAL",
                        each(List.of("../x", "x/y", "/etc"), (session, name) -> session.ask(mkdir(session, name)))),
                lie("a directory called `..`", "EINVAL", session -> session.ask(mkdir(session, ".."))),
                lie(
                        "a name of 256 bytes, or 5000",
                        "ENAMETOOLONG",
                        each(List.of(256, 5000), (session, n) -> session.ask(mkdir(session, "x".repeat(n))))),
                lie(
                        "an attribute without a rule in the xattrmap",
                        "ENODATA, EPERM",
                        session -> Outcome.ofAll(
                                attributes(session, Name.of("user.x")).map(session::ask))));
    }

    private static List<Lie> answers() {
        return List.of(
                lie(
                        "no room for an answer",
                        Outcome.EMPTY,
                        each(range(0, REPLY_HEADER), (session, room) -> session.ask(session.getattr(), room))),
                lie(
                        "too little room for the answer",
                        "EINVAL",
                        each(
                                range(REPLY_HEADER, GETATTR_REPLY),
                                (session, room) -> session.ask(session.getattr(), room))),
                lie(
                        "an opcode that nobody knows",
                        "ENOSYS",
                        each(List.of(0, 7, 255, Integer.MAX_VALUE, -1), RequestLies::opcode)),
                lie("the opcode of another device (CUSE_INIT)", "ENOSYS", session -> opcode(session, 4096)));
    }

    private static Outcome opcode(Session session, int opcode) {
        return session.ask(with(session.getattr(), OPCODE, opcode));
    }

    /// One of each shape: structs, names, names behind a struct, data, lists.
    static List<byte[]> requests(Session session) {
        Buffers ten = Buffers.ofBytes(new byte[10]);
        long file = session.file();
        return Stream.<FuseRequest>of(
                        new InodeRequest.Getattr(session.header(ROOT), new GetattrIn(0, 0)),
                        new InodeRequest.Lookup(session.header(ROOT), Name.of("name")),
                        new FileRequest.Open(session.header(file), new OpenIn(0, 0)),
                        new FileRequest.Read(session.header(file), new ReadIn(session.fh(), 0, 10, 0, 0, 0)),
                        write(session),
                        new DirectoryRequest.Rename(
                                session.header(ROOT), new RenameIn(ROOT), Name.of("a"), Name.of("b")),
                        new DirectoryRequest.Mkdir(
                                session.header(ROOT), new MkdirIn(0755, 0), Name.of("d"), Extensions.NONE),
                        new XattrRequest.Setxattr(
                                session.header(file), new SetxattrIn(10, 0, false, 0), Name.of("user.x"), ten),
                        new InodeRequest.BatchForget(session.header(0), List.of(new ForgetOne(4711, 1))))
                .map(Session::bytes)
                .toList();
    }

    private static Stream<FuseRequest> attributes(Session session, Name name) {
        long file = session.file();
        Buffers ten = Buffers.ofBytes(new byte[10]);
        return Stream.of(
                new XattrRequest.Getxattr(session.header(file), new GetxattrIn(0), name, Buffers.EMPTY),
                new XattrRequest.Setxattr(session.header(file), new SetxattrIn(10, 0, false, 0), name, ten),
                new XattrRequest.Removexattr(session.header(file), name));
    }

    private static FuseRequest write(Session session) {
        WriteIn in = new WriteIn(session.fh(), 0, 10, 0, 0, 0);
        return new FileRequest.Write(session.header(session.file()), in, Buffers.ofBytes(new byte[10]));
    }

    private static FuseRequest mkdir(Session session, String name) {
        return new DirectoryRequest.Mkdir(session.header(ROOT), new MkdirIn(0755, 0), Name.of(name), Extensions.NONE);
    }

    private static Extensions groups() {
        return new Extensions(List.of(7, 8), List.of());
    }

    /// LOOKUP of anything at all.
    private static byte[] lookup(Session session, String text) {
        byte[] name = text.getBytes(StandardCharsets.UTF_8);
        byte[] header = bytes(new InodeRequest.Lookup(session.header(ROOT), Name.of("")));
        byte[] request = Arrays.copyOf(header, HEADER + name.length);
        System.arraycopy(name, 0, request, HEADER, name.length);
        return with(request, 0, request.length);
    }

    /// Shorter or longer, and its header says so.
    private static byte[] cut(byte[] request, int length) {
        return with(Arrays.copyOf(request, length), 0, length);
    }

    private static List<Integer> range(int from, int end) {
        return IntStream.range(from, end).boxed().toList();
    }

    private static byte[] with(byte[] request, int at, int value) {
        byte[] changed = request.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return changed;
    }
}
