package vitrine.guest.kernel.linux;

import static vitrine.fuse.flag.SetattrFlag.CTIME;
import static vitrine.fuse.flag.SetattrFlag.GID;
import static vitrine.fuse.flag.SetattrFlag.LOCKOWNER;
import static vitrine.fuse.flag.SetattrFlag.MODE;
import static vitrine.fuse.flag.SetattrFlag.MTIME;
import static vitrine.fuse.flag.SetattrFlag.MTIME_NOW;
import static vitrine.fuse.flag.SetattrFlag.SIZE;
import static vitrine.fuse.flag.SetattrFlag.UID;

import vitrine.fuse.flag.Flag;
import vitrine.fuse.struct.SetattrIn;
import vitrine.posix.Timespec;

/// What a SETATTR is to say; only what `valid` names counts.
record Change(int valid, int mode, int uid, int gid, long size, Timespec atime, Timespec mtime, Timespec ctime) {

    static final Timespec ANY = new Timespec(0, 0);

    /// Nothing: what is left when the server is to kill by itself.
    static final Change NOTHING = new Change(0, 0, 0, 0, 0, ANY, ANY);

    Change(int valid, int mode, int uid, int gid, long size, Timespec atime, Timespec mtime) {
        this(valid, mode, uid, gid, size, atime, mtime, ANY);
    }

    static Change mode(int mode) {
        return new Change(Flag.word32(MODE), mode, 0, 0, 0, ANY, ANY);
    }

    static Change owner(int uid, int gid) {
        int valid = (uid == -1 ? 0 : Flag.word32(UID)) | (gid == -1 ? 0 : Flag.word32(GID));
        return new Change(valid, 0, uid, gid, 0, ANY, ANY);
    }

    static Change size(long size) {
        return new Change(Flag.word32(SIZE, LOCKOWNER), 0, 0, 0, size, ANY, ANY);
    }

    boolean changesMode() {
        return MODE.in(valid);
    }

    boolean changesSize() {
        return SIZE.in(valid);
    }

    Change withMode(int newMode) {
        return new Change(valid | Flag.word32(MODE), newMode, uid, gid, size, atime, mtime, ctime);
    }

    Change withTimeOfWrite(Timespec now) {
        return new Change(valid | Flag.word32(MTIME, CTIME), mode, uid, gid, size, atime, now, now);
    }

    /// With the guest's own times, where it would else leave them to the server.
    Change withOwnTimes(Timespec now) {
        int own = valid & ~Flag.word32(MTIME_NOW) | Flag.word32(CTIME);
        return new Change(own, mode, uid, gid, size, atime, MTIME_NOW.in(valid) ? now : mtime, now);
    }

    Change with(Flag flag) {
        return new Change(valid | Flag.word32(flag), mode, uid, gid, size, atime, mtime, ctime);
    }

    SetattrIn encode(long fh) {
        return new SetattrIn(
                valid,
                fh,
                size,
                0,
                atime.seconds(),
                mtime.seconds(),
                ctime.seconds(),
                atime.nanos(),
                mtime.nanos(),
                ctime.nanos(),
                mode,
                uid,
                gid);
    }
}
