package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import vitrine.dax.Window;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.passthrough.PassthroughFs;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Syscalls;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireReader;

/// A guest without rings: asks a file system of its own, one line a request.
final class Guest implements AutoCloseable {

    /// The nodeid of the shared directory.
    static final long ROOT = 1;

    /// Every flag that any kernel offers.
    static final long ALL_FLAGS = -1L >>> 20;

    private static final int MINOR = 38;

    final Path directory;
    final NotedLibc libc = NotedLibc.SHARED;
    final Syscalls sys = new Syscalls(libc.asLibc());
    final PassthroughFs fs;
    Caller caller = Caller.SUPERUSER;
    int umask; // of the caller; whether it still counts depends on DONT_MASK

    private final AtomicLong unique = new AtomicLong();

    /// Shares `directory` and agrees on all that is offered and wanted.
    Guest(Path directory, PassthroughOptions options) throws Exception {
        this(directory, options, ALL_FLAGS);
    }

    Guest(Path directory, PassthroughOptions options, long offered) throws Exception {
        this(directory, options, offered, Window.none());
    }

    /// Shares `directory` with this window, and offers these flags only.
    Guest(Path directory, PassthroughOptions options, long offered, Window window) throws Exception {
        this.directory = directory;
        fs = new PassthroughFs(sys, directory.toString(), options, window);
        init(MINOR, offered);
    }

    @Override
    public void close() {
        libc.failNothing();
        fs.close();
    }

    // --- asking

    InHeader header(long nodeid) {
        return InHeader.of(unique.addAndGet(2), nodeid, caller.uid(), caller.gid(), 4711);
    }

    Reply ask(FuseRequest request) throws ErrnoException {
        return fs.answer(request);
    }

    /// The errno that the request is answered with, 0 if it succeeds.
    int errno(FuseRequest request) {
        try {
            return ask(request) instanceof Reply.Error(int errno) ? errno : 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    /// The errno that the call ends with, 0 if it succeeds.
    static int errnoOf(NotedLibc.Action call) throws Exception {
        try {
            call.run();
            return 0;
        } catch (ErrnoException e) {
            return e.errno();
        }
    }

    <T> T struct(Class<T> type, FuseRequest request) throws ErrnoException {
        if (ask(request) instanceof Reply.Struct(Object value) && type.isInstance(value)) {
            return type.cast(value);
        }
        return fail("no " + type.getSimpleName() + " answers " + request);
    }

    InitOut init(int minor, long offered) throws ErrnoException {
        InitIn in = new InitIn(7, minor, 131072, (int) offered, (int) (offered >>> 32));
        return struct(InitOut.class, new SessionRequest.Init(header(0), in));
    }

    // --- inodes

    EntryOut lookup(long directory, String name) throws ErrnoException {
        return struct(EntryOut.class, new InodeRequest.Lookup(header(directory), Name.of(name)));
    }

    /// The nodeid of a path below the root.
    long node(String path) throws ErrnoException {
        long node = ROOT;
        for (String name : path.split("/")) {
            node = lookup(node, name).nodeid();
        }
        return node;
    }

    void forget(long nodeid, long count) throws ErrnoException {
        ask(new InodeRequest.Forget(header(nodeid), new ForgetIn(count)));
    }

    Attr getattr(long nodeid) throws ErrnoException {
        return struct(AttrOut.class, new InodeRequest.Getattr(header(nodeid), new GetattrIn(0, 0)))
                .attr();
    }

    Attr setattr(long nodeid, SetattrIn in) throws ErrnoException {
        return struct(AttrOut.class, new InodeRequest.Setattr(header(nodeid), in))
                .attr();
    }

    byte[] readlink(long nodeid) throws ErrnoException {
        Reply.Bytes reply = (Reply.Bytes) ask(new InodeRequest.Readlink(header(nodeid)));
        return reply.data().toBytes();
    }

    // --- names

    EntryOut mkdir(long directory, String name, int mode) throws ErrnoException {
        return struct(
                EntryOut.class,
                new DirectoryRequest.Mkdir(
                        header(directory), new MkdirIn(mode, umask), Name.of(name), caller.extensions()));
    }

    EntryOut mknod(long directory, String name, int mode, int rdev) throws ErrnoException {
        return struct(
                EntryOut.class,
                new DirectoryRequest.Mknod(
                        header(directory), new MknodIn(mode, rdev, umask), Name.of(name), caller.extensions()));
    }

    EntryOut symlink(long directory, String name, String target) throws ErrnoException {
        return struct(
                EntryOut.class,
                new DirectoryRequest.Symlink(header(directory), Name.of(name), Name.of(target), caller.extensions()));
    }

    EntryOut link(long nodeid, long directory, String name) throws ErrnoException {
        return struct(EntryOut.class, new DirectoryRequest.Link(header(directory), new LinkIn(nodeid), Name.of(name)));
    }

    void unlink(long directory, String name) throws ErrnoException {
        ask(new DirectoryRequest.Unlink(header(directory), Name.of(name)));
    }

    void rmdir(long directory, String name) throws ErrnoException {
        ask(new DirectoryRequest.Rmdir(header(directory), Name.of(name)));
    }

    void rename(long from, String name, long to, String newName, int flags) throws ErrnoException {
        ask(new DirectoryRequest.Rename2(header(from), new Rename2In(to, flags), Name.of(name), Name.of(newName)));
    }

    // --- open files

    record Created(EntryOut entry, OpenOut open) {}

    Created create(long directory, String name, int flags, int mode, int openFlags) throws ErrnoException {
        Reply reply = ask(new FileRequest.Create(
                header(directory), new CreateIn(flags, mode, umask, openFlags), Name.of(name), caller.extensions()));
        Reply.Structs structs = (Reply.Structs) reply;
        return new Created(
                (EntryOut) structs.values().get(0), (OpenOut) structs.values().get(1));
    }

    OpenOut open(long nodeid, int flags, int openFlags) throws ErrnoException {
        return struct(OpenOut.class, new FileRequest.Open(header(nodeid), new OpenIn(flags, openFlags)));
    }

    long open(long nodeid, int flags) throws ErrnoException {
        return open(nodeid, flags, 0).fh();
    }

    void release(long nodeid, long fh) throws ErrnoException {
        ask(new FileRequest.Release(header(nodeid), new ReleaseIn(fh, 0, 0, 0)));
    }

    byte[] read(long nodeid, long fh, long offset, int size) throws ErrnoException {
        Buffers into = Buffers.of(memory(size));
        ReadIn in = new ReadIn(fh, offset, size, 0, 0, 0);
        Reply.Filled reply = (Reply.Filled) ask(new FileRequest.Read(header(nodeid), in, into));
        return into.slice(0, reply.size()).toBytes();
    }

    /// Writes as a program does whose file is not open for appending.
    int write(long nodeid, long fh, long offset, String text, WriteFlag... how) throws ErrnoException {
        return write(nodeid, new WriteIn(fh, offset, 0, Flag.word32(how), 0, Fcntl.O_RDWR), text);
    }

    /// Writes as a program does whose file is open for appending; the offset is the guest's guess.
    int append(long nodeid, long fh, long offset, String text, WriteFlag... how) throws ErrnoException {
        int flags = Fcntl.O_RDWR | Fcntl.O_APPEND;
        return write(nodeid, new WriteIn(fh, offset, 0, Flag.word32(how), 0, flags), text);
    }

    private int write(long nodeid, WriteIn in, String text) throws ErrnoException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment data = memory(bytes.length);
        data.copyFrom(MemorySegment.ofArray(bytes));
        WriteIn sized = new WriteIn(in.fh(), in.offset(), bytes.length, in.writeFlags(), 0, in.flags());
        return struct(WriteOut.class, new FileRequest.Write(header(nodeid), sized, Buffers.of(data)))
                .size();
    }

    // --- open directories

    long opendir(long nodeid) throws ErrnoException {
        return struct(OpenOut.class, new DirectoryRequest.Opendir(header(nodeid), new OpenIn(0, 0)))
                .fh();
    }

    List<Dirent> readdir(long nodeid, long fh, long offset, int size) throws Exception {
        Buffers into = Buffers.of(memory(size));
        ReadIn in = new ReadIn(fh, offset, size, 0, 0, 0);
        Reply.Filled reply = (Reply.Filled) ask(new DirectoryRequest.Readdir(header(nodeid), in, into));
        return Dirent.decodeAll(new WireReader(into.slice(0, reply.size())));
    }

    List<Direntplus> readdirplus(long nodeid, long fh, long offset, int size) throws Exception {
        Buffers into = Buffers.of(memory(size));
        ReadIn in = new ReadIn(fh, offset, size, 0, 0, 0);
        Reply.Filled reply = (Reply.Filled) ask(new DirectoryRequest.Readdirplus(header(nodeid), in, into));
        return Direntplus.decodeAll(new WireReader(into.slice(0, reply.size())));
    }

    /// Native memory, as a guest's is, in which nothing was written yet.
    static MemorySegment memory(long size) {
        return Arena.ofAuto().allocate(size == 0 ? 1 : size).asSlice(0, size).fill((byte) 0x5a);
    }

    /// The text that lies there.
    static String text(MemorySegment memory) {
        return new String(memory.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /// The word of these flags, to be offered.
    static long without(InitFlag... flags) {
        long word = ALL_FLAGS;
        for (InitFlag flag : flags) {
            word &= ~flag.bit();
        }
        return word;
    }
}
