package vitrine.conformance.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.posix.ErrnoException;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;

/// A server that keeps the lookup counts that the protocol prescribes (fuse.h: fuse_forget_in), and
/// the requests that came.
final class CountingServer implements FileSystem {

    private final FileSystem fileSystem;
    private final Map<Long, Long> lookups = new HashMap<>();
    private final List<FuseRequest> asked = new ArrayList<>();

    CountingServer(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        asked.add(request);
        if (request instanceof InodeRequest.Forget(var header, var in)) {
            add(header.nodeid(), -in.nlookup());
        }
        Reply reply = fileSystem.answer(request);
        switch (reply) {
            case Reply.Struct(EntryOut entry) -> add(entry.nodeid(), 1);
            case Reply.Structs(var values) -> values.forEach(this::count);
            case Reply.Filled(long size) when request instanceof DirectoryRequest.Readdirplus plus -> count(plus, size);
            default -> {}
        }
        return reply;
    }

    private void count(WireStruct value) {
        if (value instanceof EntryOut entry) {
            add(entry.nodeid(), 1);
        } else if (value instanceof Direntplus plus) {
            count(plus);
        }
    }

    private void count(Direntplus plus) {
        String name = plus.dirent().name().toString();
        if (!name.equals(".") && !name.equals("..")) {
            add(plus.entry().nodeid(), 1);
        }
    }

    private void count(DirectoryRequest.Readdirplus request, long size) {
        try {
            Direntplus.decodeAll(new WireReader(request.into().slice(0, size))).forEach(this::count);
        } catch (MalformedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(long nodeid, long count) {
        if (nodeid != 0) {
            lookups.merge(nodeid, count, Long::sum);
            lookups.remove(nodeid, 0L);
        }
    }

    /// What the guest has been given and not given back, by nodeid.
    Map<Long, Long> lookups() {
        return lookups;
    }

    /// The requests since this was last asked.
    List<FuseRequest> taken() {
        List<FuseRequest> taken = List.copyOf(asked);
        asked.clear();
        return taken;
    }
}
