package vitrine.conformance.passthrough;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import vitrine.fuse.Reply;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.SetxattrFlag;
import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.GetxattrOut;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.posix.ErrnoException;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Extended attributes, as a guest asks for them.
record Xattrs(Guest guest) {

    private static final int PLENTY = 70_000;

    void set(long node, String name, String value) throws ErrnoException {
        set(node, name, value, 0);
    }

    void set(long node, String name, String value, int flags) throws ErrnoException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        set(node, name, bytes, new SetxattrIn(bytes.length, flags, false, 0));
    }

    /// Sets an ACL, as a program that is not in the group of the file or as one that is.
    void set(long node, String name, Acl acl, boolean inGroup) throws ErrnoException {
        SetxattrFlag[] flags = inGroup ? new SetxattrFlag[0] : SetxattrFlag.values();
        set(node, name, acl.bytes(), new SetxattrIn(acl.bytes().length, 0, true, Flag.word32(flags)));
    }

    private void set(long node, String name, byte[] value, SetxattrIn in) throws ErrnoException {
        guest.ask(new XattrRequest.Setxattr(guest.header(node), in, Name.of(name), Buffers.ofBytes(value)));
    }

    /// How large the value is.
    int size(long node, String name) throws ErrnoException {
        return guest.struct(
                        GetxattrOut.class,
                        new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(0), Name.of(name)))
                .size();
    }

    String get(long node, String name) throws ErrnoException {
        return get(node, name, PLENTY);
    }

    /// The value, for which there is so much room, in two pieces as a page boundary would cut it.
    String get(long node, String name, int room) throws ErrnoException {
        Buffers into = Buffers.of(Guest.memory(2), Guest.memory(room - 2));
        Reply reply =
                guest.ask(new XattrRequest.Getxattr(guest.header(node), new GetxattrIn(room), Name.of(name), into));
        return text(into, reply);
    }

    /// How long the list is.
    int listSize(long node) throws ErrnoException {
        return guest.struct(GetxattrOut.class, new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(0)))
                .size();
    }

    /// The names, in their order in the alphabet.
    List<String> list(long node) throws ErrnoException {
        String list = list(node, PLENTY);
        return list.isEmpty()
                ? List.of()
                : Stream.of(list.split("\0", -1))
                        .filter(name -> !name.isEmpty())
                        .sorted()
                        .toList();
    }

    /// The list as it is, for which there is so much room.
    String list(long node, int room) throws ErrnoException {
        Buffers into = Buffers.of(Guest.memory(room));
        return text(into, guest.ask(new XattrRequest.Listxattr(guest.header(node), new GetxattrIn(room), into)));
    }

    void remove(long node, String name) throws ErrnoException {
        guest.ask(new XattrRequest.Removexattr(guest.header(node), Name.of(name)));
    }

    private static String text(Buffers into, Reply reply) {
        return new String(into.slice(0, reply.size()).toBytes(), StandardCharsets.UTF_8);
    }
}
