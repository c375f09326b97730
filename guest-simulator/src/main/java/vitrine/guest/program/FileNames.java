package vitrine.guest.program;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;

/// What the files are called whose nodeids a client was told.
///
/// A file has the name by which it was looked up or moved last. Two files of the same name in two
/// directories cannot be told apart: programs do without.
final class FileNames {

    private static final long ROOT = 1;

    private record Place(long directory, String name) {}

    private final Map<Long, Place> places = new HashMap<>(Map.of(ROOT, new Place(0, "/")));

    /// The file's name; its number if it was never told.
    String of(long nodeid) {
        Place place = places.get(nodeid);
        return place == null ? "#" + Long.toUnsignedString(nodeid) : place.name();
    }

    /// Learns what the reply to a request says.
    void learn(FuseRequest request, Reply reply) {
        switch (request) {
            case InodeRequest.Lookup lookup -> learn(request, lookup.name(), reply);
            case FileRequest.Create create -> learn(request, create.name(), reply);
            case FileRequest.Tmpfile _ -> learn(request, Name.of("(no name)"), reply);
            case DirectoryRequest.Mknod mknod -> learn(request, mknod.name(), reply);
            case DirectoryRequest.Mkdir mkdir -> learn(request, mkdir.name(), reply);
            case DirectoryRequest.Symlink symlink -> learn(request, symlink.name(), reply);
            case DirectoryRequest.Rename(var header, RenameIn in, Name from, Name to) ->
                moved(place(header.nodeid(), from), place(in.newdir(), to));
            case DirectoryRequest.Rename2(var header, Rename2In in, Name from, Name to) ->
                moved(place(header.nodeid(), from), place(in.newdir(), to));
            case DirectoryRequest.Readdirplus listing
            when reply instanceof Reply.Filled(long size) ->
                learn(request.nodeid(), new WireReader(listing.into().slice(0, size)));
            default -> {}
        }
    }

    private static Place place(long directory, Name name) {
        return new Place(directory, name.toString());
    }

    private void learn(FuseRequest request, Name name, Reply reply) {
        WireStruct first = switch (reply) {
            case Reply.Struct(WireStruct value) -> value;
            case Reply.Structs(List<? extends WireStruct> values) -> values.getFirst();
            default -> null;
        };
        if (first instanceof EntryOut entry && entry.nodeid() != ROOT) {
            places.put(entry.nodeid(), place(request.nodeid(), name));
        }
    }

    private void learn(long directory, WireReader listing) {
        try {
            for (Direntplus entry : Direntplus.decodeAll(listing)) {
                if (entry.entry().nodeid() != 0) {
                    places.putIfAbsent(
                            entry.entry().nodeid(),
                            place(directory, entry.dirent().name()));
                }
            }
        } catch (MalformedException e) {
            throw new IllegalStateException("a listing of our own", e);
        }
    }

    /// What was at the new place is gone, or at the old one: who asks for it later, asks by what it
    /// was called.
    private void moved(Place from, Place to) {
        places.replaceAll((_, place) -> place.equals(from) ? to : place);
    }
}
