package vitrine.conformance.passthrough;

import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.SetattrIn;

/// SETATTRs as they are wanted in tests: few fields, the rest garbage that must not matter.
final class Setattr {

    private static final long GARBAGE = 0x0123_4567_89ab_cdefL;

    private Setattr() {}

    static SetattrIn of(long size, int mode, int uid, int gid, SetattrFlag... valid) {
        return new SetattrIn(
                Flag.word32(valid), GARBAGE, size, GARBAGE, GARBAGE, GARBAGE, GARBAGE, -1, -1, -1, mode, uid, gid);
    }

    static SetattrIn nothing(SetattrFlag... valid) {
        return of(GARBAGE, -1, 77, 77, valid);
    }

    static SetattrIn mode(int mode) {
        return of(GARBAGE, mode, 77, 77, SetattrFlag.MODE);
    }

    static SetattrIn size(long size, SetattrFlag... more) {
        int valid = Flag.word32(more) | Flag.word32(SetattrFlag.SIZE);
        return new SetattrIn(valid, GARBAGE, size, 0, 0, 0, 0, 0, 0, 0, -1, 77, 77);
    }

    static SetattrIn size(long size, long fh, SetattrFlag... more) {
        int valid = Flag.word32(more) | Flag.word32(SetattrFlag.SIZE, SetattrFlag.FH);
        return new SetattrIn(valid, fh, size, 0, 0, 0, 0, 0, 0, 0, -1, 77, 77);
    }

    static SetattrIn owner(int uid, int gid, SetattrFlag... valid) {
        return of(GARBAGE, -1, uid, gid, valid);
    }

    static SetattrIn times(long atime, int atimensec, long mtime, int mtimensec, SetattrFlag... valid) {
        return new SetattrIn(Flag.word32(valid), 0, 0, 0, atime, mtime, 0, atimensec, mtimensec, 0, -1, 77, 77);
    }
}
