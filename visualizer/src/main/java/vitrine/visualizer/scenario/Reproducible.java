package vitrine.visualizer.scenario;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.EntryOut;
import vitrine.posix.ErrnoException;
import vitrine.wire.WireStruct;

/// A file system whose replies do not tell hosts apart: inode numbers count from 1, generations are
/// 1, times are the beginning of the model's time, blocks are as many as the size takes.
///
/// It replaces them before the guest sees them, so that ring, bytes and decisions fit together.
final class Reproducible implements FileSystem {

    private static final long BEGINNING = 1_767_225_600; // 2026-01-01
    private static final int BLOCK = 4096;
    private static final int SECTOR = 512;

    private final FileSystem fileSystem;
    private final Map<Long, Long> inodes = new HashMap<>();

    Reproducible(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        return switch (fileSystem.answer(request)) {
            case Reply.Struct(WireStruct value) -> new Reply.Struct(same(value));
            case Reply.Structs(List<? extends WireStruct> values) ->
                new Reply.Structs(values.stream().map(this::same).toList());
            case Reply other -> other;
        };
    }

    private WireStruct same(WireStruct struct) {
        return switch (struct) {
            case EntryOut e ->
                new EntryOut(
                        e.nodeid(),
                        Math.min(e.generation(), 1),
                        e.entryValid(),
                        e.attrValid(),
                        e.entryValidNsec(),
                        e.attrValidNsec(),
                        same(e.attr()));
            case AttrOut a -> new AttrOut(a.attrValid(), a.attrValidNsec(), same(a.attr()));
            default -> struct;
        };
    }

    private Attr same(Attr a) {
        long inode = a.ino() == 0 ? 0 : inodes.computeIfAbsent(a.ino(), _ -> inodes.size() + 1L);
        long sectors = (a.size() + BLOCK - 1) / BLOCK * (BLOCK / SECTOR);
        return new Attr(
                inode, a.size(), sectors, BEGINNING, BEGINNING, BEGINNING, 0, 0, 0, a.mode(), a.nlink(), a.uid(),
                a.gid(), a.rdev(), BLOCK, a.flags());
    }
}
