package vitrine.guest.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;

/// What the files are called whose nodeids a client was told.
///
/// A file has the name by which it was looked up last. Two files of the same name in two
/// directories cannot be told apart: programs do without.
final class FileNames {

    private static final long ROOT = 1;

    private final Map<Long, String> names = new HashMap<>(Map.of(ROOT, "/"));

    /// The file's name; its number if it was never told.
    String of(long nodeid) {
        return names.getOrDefault(nodeid, "#" + Long.toUnsignedString(nodeid));
    }

    /// Learns what the reply to a request says.
    void learn(FuseRequest request, Reply reply) {
        switch (request) {
            case InodeRequest.Lookup lookup -> learn(lookup.name().toString(), reply);
            case FileRequest.Create create -> learn(create.name().toString(), reply);
            case FileRequest.Tmpfile _ -> learn("(no name)", reply);
            case DirectoryRequest.Mknod mknod -> learn(mknod.name().toString(), reply);
            case DirectoryRequest.Mkdir mkdir -> learn(mkdir.name().toString(), reply);
            case DirectoryRequest.Symlink symlink -> learn(symlink.name().toString(), reply);
            case DirectoryRequest.Readdirplus listing
            when reply instanceof Reply.Filled(long size) ->
                learn(new WireReader(listing.into().slice(0, size)));
            default -> {}
        }
    }

    private void learn(String name, Reply reply) {
        WireStruct first = switch (reply) {
            case Reply.Struct(WireStruct value) -> value;
            case Reply.Structs(List<? extends WireStruct> values) -> values.getFirst();
            default -> null;
        };
        if (first instanceof EntryOut entry && !name.equals(".")) {
            names.put(entry.nodeid(), name);
        }
    }

    private void learn(WireReader listing) {
        try {
            for (Direntplus entry : Direntplus.decodeAll(listing)) {
                Name name = entry.dirent().name();
                if (entry.entry().nodeid() != 0) {
                    names.putIfAbsent(entry.entry().nodeid(), Objects.toString(name));
                }
            }
        } catch (MalformedException e) {
            throw new IllegalStateException("a listing of our own", e);
        }
    }
}
