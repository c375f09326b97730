package vitrine.passthrough;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import vitrine.migration.CannotMoveException;
import vitrine.migration.MigrationOptions;
import vitrine.migration.StateReader;
import vitrine.migration.StateRecord;
import vitrine.passthrough.held.Inode;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.OpenDirectory;
import vitrine.passthrough.held.OpenFile;
import vitrine.passthrough.held.SharedDescriptor;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.posix.Fd;
import vitrine.posix.FileHandle;
import vitrine.posix.FileStatus;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;
import vitrine.posix.Timespec;
import vitrine.wire.MalformedException;

/// Finds again what a guest held in another daemon.
///
/// The guest goes on with the numbers that it has, so each file gets the nodeid that it had there,
/// with its lookup count, and each open file its handle. What came through the front end is a
/// claim: a path is followed name by name, and cannot lead out of the share. A handle could, so one
/// is opened only if the daemon was started with `--migration-mode=file-handles`.
final class Arrival {

    /// More than a guest knows with whom nothing is wrong.
    private static final int MOST_FILES = 1 << 22;

    /// So high that no guest gets there, and so low that counting on never ends.
    private static final long HIGHEST = Long.MAX_VALUE / 2;

    private static final int MOST_TOLD = 5; // lost files, in the log

    private final Share share;
    private final Syscalls sys;
    private final InodeTable inodes;
    private final MigrationOptions options;
    private final Set<Long> files = new HashSet<>(); // nodeids that came
    private final Set<Long> missing = new HashSet<>(); // those that were not found
    private final List<String> lost = new ArrayList<>(); // the first of what was not found
    private int losses;

    Arrival(Share share) {
        this.share = share;
        sys = share.sys();
        inodes = share.inodes();
        options = share.options().migration();
    }

    /// Takes it over, instead of all that there was.
    ///
    /// @return what was agreed on; null if there is no session
    StateRecord.Session read(StateReader in) throws CannotMoveException, MalformedException, IOException {
        share.clear();
        boolean complete = false;
        try {
            StateRecord.Session session = take(in);
            complete = true;
            return session;
        } finally {
            if (!complete) {
                share.clear();
            }
        }
    }

    private StateRecord.Session take(StateReader in) throws CannotMoveException, MalformedException, IOException {
        if (!(in.next().orElse(null) instanceof StateRecord.Session session)) {
            throw new MalformedException("a state that does not say what was agreed on");
        }
        if (session.minor() != 0) {
            share.negotiation().resume(session.minor(), session.flags());
        }
        requireCounter(session.lastNodeid());
        requireCounter(session.lastHandle() + 1);
        for (Optional<StateRecord> next = in.next(); next.isPresent(); next = in.next()) {
            switch (next.get()) {
                case StateRecord.File file when session.minor() != 0 -> take(file, session);
                case StateRecord.Open open when session.minor() != 0 -> take(open, session);
                default -> throw new MalformedException("a state that begins twice, or not at all");
            }
        }
        tellLosses();
        inodes.nodeids().resume(session.lastNodeid(), session.generation());
        share.handles().resume(session.lastHandle());
        return session.minor() == 0 ? null : session;
    }

    private static void requireCounter(long last) throws MalformedException {
        if (last < 1 || last > HIGHEST) {
            throw new MalformedException("a state with a counter at " + last);
        }
    }

    private void take(StateRecord.File file, StateRecord.Session session) throws MalformedException {
        boolean known = file.nodeid() > InodeTable.ROOT && file.nodeid() <= session.lastNodeid();
        if (!known || file.lookups() <= 0 || files.size() >= MOST_FILES || !files.add(file.nodeid())) {
            throw new MalformedException("a state with nodeid " + file.nodeid() + ", " + file.lookups() + " lookups");
        }
        try {
            inodes.requireRoomToKnow();
            Fd fd = find(file);
            inodes.resume(file.nodeid(), file.lookups(), same(file, fd), fd);
        } catch (ErrnoException e) {
            String name = file.path() == null ? "which has no name" : new String(file.path(), StandardCharsets.UTF_8);
            missing.add(file.nodeid());
            lose("nodeid " + file.nodeid() + ", " + name + ": " + e.getMessage());
        }
    }

    private Fd find(StateRecord.File file) throws ErrnoException {
        boolean byHandle = file.handle() != null && options.mode() == MigrationOptions.Mode.FILE_HANDLES;
        try {
            return findByPath(file);
        } catch (ErrnoException e) {
            if (!byHandle) {
                throw e;
            }
            return inodes.openByHandle(file.handle());
        }
    }

    private Fd findByPath(StateRecord.File file) throws ErrnoException {
        FileHandle handle = file.handle();
        if (file.path() == null) {
            throw new ErrnoException(
                    handle == null ? "not found at its old place" : "only by handle: --migration-mode=file-handles",
                    Errno.ENOENT);
        }
        try (Inode root = inodes.hold(InodeTable.ROOT)) {
            Fd fd = new HostPaths(sys, root.fd()).open(file.path());
            if (handle != null && !sys.fileHandle(fd).isSame(handle)) {
                fd.close();
                throw new ErrnoException("another file has its name by now", Errno.ESTALE);
            }
            return fd;
        }
    }

    /// The file's status, if it can be the one that was meant.
    private FileStatus same(StateRecord.File file, Fd fd) throws ErrnoException {
        try {
            FileStatus status = sys.statx(fd, FileStatus.ALL);
            boolean sameBirth = file.path() != null
                    || file.birth().equals(status.btime())
                    || status.btime().equals(new Timespec(0, 0));
            if ((status.mode() & Stat.S_IFMT) != file.type() || !sameBirth) {
                throw new ErrnoException("another file is there by now", Errno.ESTALE);
            }
            return status;
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
    }

    private void take(StateRecord.Open open, StateRecord.Session session) throws MalformedException {
        boolean known = open.fh() > 0 && open.fh() <= session.lastHandle();
        if (!known || share.handles().has(open.fh()) || share.handles().size() >= MOST_FILES) {
            throw new MalformedException("a state with handle " + open.fh());
        }
        SharedDescriptor opened = null;
        try (Inode inode = inodes.hold(open.nodeid())) {
            share.budget().requireRoom();
            opened = open(open, inode);
        } catch (ErrnoException e) {
            if (!missing.contains(open.nodeid())) { // that was told
                lose("handle " + open.fh() + " of nodeid " + open.nodeid() + ": " + e.getMessage());
            }
        }
        share.handles().resume(open.fh(), opened);
    }

    private SharedDescriptor open(StateRecord.Open open, Inode inode) throws ErrnoException {
        if (open.directory()) {
            int flags = Fcntl.O_RDONLY | Fcntl.O_DIRECTORY | open.flags() & Fcntl.O_NOATIME;
            return new OpenDirectory(share.budget(), sys.reopen(inode.fd(), flags), inode);
        }
        HostFlags.requireRegular(inode);
        Fd fd = sys.reopen(inode.fd(), open.flags() & Departure.KEPT_FLAGS);
        return new OpenFile(share.budget(), fd, inode, open.writable());
    }

    private void lose(String what) {
        losses++;
        if (lost.size() < MOST_TOLD) {
            lost.add(what);
        }
    }

    private void tellLosses() throws CannotMoveException {
        if (losses == 0) {
            return;
        }
        String all = losses + (losses == 1 ? " of its files is" : " of its files are") + " not found here ("
                + String.join("; ", lost) + (losses > lost.size() ? "; …" : "") + ")";
        if (options.onError() == MigrationOptions.OnError.ABORT) {
            throw new CannotMoveException(all + "; with --migration-on-error=guest-error it could, without them");
        }
        System.getLogger("vitrine.passthrough").log(System.Logger.Level.WARNING, "the guest has moved, and " + all);
    }
}
