package vitrine.guest.kernel.linux;

import static vitrine.posix.Errno.ENOTDIR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.Attr;
import vitrine.fuse.struct.Dirent;
import vitrine.fuse.struct.Direntplus;
import vitrine.fuse.struct.EntryOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.guest.kernel.DirectoryEntry;
import vitrine.guest.kernel.KernelProfile.Habit;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.Dentry;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Listing.Kept;
import vitrine.guest.kernel.rule.Listing.Plus;
import vitrine.posix.ErrnoException;
import vitrine.posix.Timespec;

/// Listing a directory: READDIR or READDIRPLUS, or what was kept of the last time.
final class Listing {

    private static final int PAGE = 4096;
    private static final int BUFFER = 32_768; // what a C library gives to getdents64(2)

    private final Mount mount;
    private final FuseClient client;
    private final Attributes attributes;
    private final NameLookup lookup;

    Listing(Mount mount, Attributes attributes) {
        this.mount = mount;
        this.client = mount.client();
        this.attributes = attributes;
        this.lookup = new NameLookup(mount);
    }

    /// All entries, from the beginning.
    List<DirectoryEntry> all(Task task, LinuxFile directory) throws ErrnoException {
        List<DirectoryEntry> entries = new ArrayList<>();
        long offset = 0;
        while (true) {
            List<Dirent> piece = piece(task, directory, offset);
            if (piece.isEmpty()) {
                return entries;
            }
            entries.addAll(entries(piece));
            offset = piece.getLast().off();
        }
    }

    /// The piece that follows the directory's position, which moves on.
    List<DirectoryEntry> next(Task task, LinuxFile directory) throws ErrnoException {
        List<Dirent> piece = piece(task, directory, directory.position());
        if (!piece.isEmpty()) {
            directory.position(piece.getLast().off());
        }
        return entries(piece);
    }

    private static List<DirectoryEntry> entries(List<Dirent> piece) {
        return piece.stream()
                .map(entry -> new DirectoryEntry(entry.name().toString(), entry.ino(), entry.type()))
                .toList();
    }

    /// What one getdents64(2) brings: no more than the server puts into one reply; nothing at the
    /// end.
    List<Dirent> piece(Task task, LinuxFile directory, long offset) throws ErrnoException {
        if (!directory.isDirectory()) {
            throw new ErrnoException("getdents64", ENOTDIR);
        }
        boolean mayKeep = directory.has(FopenFlag.CACHE_DIR) && !mount.terms().noMemory();
        if (mayKeep && isKept(task, directory, offset)) {
            return directory.inode().listing().entries().stream()
                    .dropWhile(entry -> offset != 0 && entry.off() != offset)
                    .skip(offset == 0 ? 0 : 1)
                    .toList();
        }
        List<Dirent> piece = ask(task, directory, offset);
        if (mayKeep) {
            directory.inode().listing().keep(offset, piece);
        }
        return piece;
    }

    private boolean isKept(Task task, LinuxFile directory, long offset) throws ErrnoException {
        GuestInode inode = directory.inode();
        if (offset != 0) {
            return inode.listing().isComplete();
        }
        if (client.has(InitFlag.AUTO_INVAL_DATA)) {
            attributes.fresh(task, inode, directory, Set.of(Part.MODIFY_TIME));
        }
        Attr attr = inode.attr();
        Timespec modified = new Timespec(attr.mtime(), attr.mtimensec());
        boolean kept = mount.by(
                new Kept(true, inode.listing().isComplete(), inode.listing().isOutdated(modified)));
        if (!kept) {
            inode.listing().begin(modified);
        }
        return kept;
    }

    private List<Dirent> ask(Task task, LinuxFile directory, long offset) throws ErrnoException {
        boolean auto = client.has(InitFlag.READDIRPLUS_AUTO);
        boolean used = auto && directory.inode().takeNamesWereUsed();
        boolean plus = mount.by(new Plus(client.has(InitFlag.DO_READDIRPLUS), auto, offset == 0, used));
        int room = client.profile().has(Habit.READDIR_OF_BUFFER) ? Math.min(BUFFER, client.mostPages() * PAGE) : PAGE;
        ReadIn in = new ReadIn(directory.fh(), offset, room, 0, 0, directory.flags());
        var header = client.header(task, directory.nodeid());
        long askedAt = directory.inode().askedAt();
        List<Dirent> piece;
        if (plus) {
            List<Direntplus> entries =
                    client.ask(new DirectoryRequest.Readdirplus(header, in), room, Direntplus::decodeAll);
            entries.forEach(entry -> enter(directory.dentry(), entry, askedAt));
            piece = entries.stream().map(Direntplus::dirent).toList();
        } else {
            piece = client.ask(new DirectoryRequest.Readdir(header, in), room, Dirent::decodeAll);
        }
        directory.inode().changed(Set.of(Part.ACCESS_TIME));
        return piece;
    }

    /// An entry counts as a lookup (`fuse_direntplus_link` in Linux).
    private void enter(Dentry directory, Direntplus plus, long askedAt) {
        String name = plus.dirent().name().toString();
        EntryOut entry = plus.entry();
        if (entry.nodeid() == 0 || name.equals(".") || name.equals("..")) {
            return;
        }
        Dentry known = mount.names().find(directory, name);
        boolean same = known != null && known.inode() != null && known.inode().nodeid() == entry.nodeid();
        if (same) {
            mount.inodes().foundAgain(known.inode(), entry, askedAt);
            mount.names().confirmed(known, entry);
        } else {
            if (known != null) {
                mount.names().invalidate(known);
                mount.names().release(known);
            }
            known = lookup.enter(directory, name, entry, askedAt);
        }
        if (client.has(InitFlag.READDIRPLUS_AUTO)) {
            known.inode().wasListed();
        }
        mount.names().release(known);
    }
}
