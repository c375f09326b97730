package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.OpenOut;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.posix.Fcntl;
import vitrine.wire.Buffers;

/// Offsets and sizes that no file has: each is an errno, and the file stays as it was.
class NumberTest {

    private static final long[] NO_OFFSETS = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -4096, -1};

    /// What the host calls a number that it does not take.
    private static final Set<Integer> REFUSALS =
            Set.of(Errno.EINVAL, Errno.EFBIG, Errno.ENXIO, Errno.EOVERFLOW, Errno.EOPNOTSUPP, Errno.ENOSPC);

    @TempDir
    Path temporary;

    /// Unsigned in fuse.h, signed on the host. -1 is the worst of them: to preadv2(2) it means
    /// "where the descriptor stands".
    ///
    /// Caught: `requireOffset` empty (a WRITE to -1 is done).
    @ParameterizedTest
    @EnumSource
    void anOffsetBeyondTheLargestIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDWR);
            var before = attack.shareNow();

            for (long offset : NO_OFFSETS) {
                for (FuseRequest request : List.of(
                        new FileRequest.Read(attack.header(file), new ReadIn(fh, offset, 10, 0, 0, 0)),
                        write(attack, file, fh, offset),
                        new FileRequest.Lseek(attack.header(file), new LseekIn(fh, offset, Fcntl.SEEK_SET)),
                        new FileRequest.Lseek(attack.header(file), new LseekIn(fh, offset, Fcntl.SEEK_DATA)),
                        new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, offset, 10, 0)),
                        new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, 0, offset, 0)),
                        copy(attack, file, new CopyFileRangeIn(fh, offset, file, fh, 2000, 10, 0)),
                        copy(attack, file, new CopyFileRangeIn(fh, 0, file, fh, offset, 10, 0)),
                        truncate(attack, file, offset))) {
                    verifyRefused(attack, request);
                }
            }

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// An offset that is one, and with the size is none any more; and sizes and modes that are
    /// none.
    ///
    /// Caught: COPY_FILE_RANGE that does not look at its flags.
    @ParameterizedTest
    @EnumSource
    void aSizeThatWrapsIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDWR);
            long last = Long.MAX_VALUE;
            var before = attack.shareNow();

            for (FuseRequest request : List.of(
                    write(attack, file, fh, last),
                    write(attack, file, fh, last - 5),
                    new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, last, last, 0)),
                    new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, 1, last, 0)),
                    new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, 0, 0, 0)),
                    new FileRequest.Fallocate(attack.header(file), new FallocateIn(fh, 0, 10, -1)),
                    copy(attack, file, new CopyFileRangeIn(fh, 0, file, fh, last, 1000, 0)),
                    copy(attack, file, new CopyFileRangeIn(fh, 0, file, fh, 500, -1, 0)), // overlaps itself
                    copy(attack, file, new CopyFileRangeIn(fh, 0, file, fh, 2000, 10, 1)),
                    new FileRequest.Lseek(attack.header(file), new LseekIn(fh, 0, 17)),
                    new FileRequest.Lseek(attack.header(file), new LseekIn(fh, 0, -1)),
                    truncate(attack, file, last))) {
                verifyRefused(attack, request);
            }

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// READ of any size writes no more than there is room for, and no more than the file has.
    ///
    /// Caught: `Incoming.room` that believes the size.
    @ParameterizedTest
    @EnumSource
    void aReadOfAnySizeStaysInItsRoom(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long file = attack.lookup(Attack.ROOT, "file");
            long fh = attack.open(file, Fcntl.O_RDONLY);
            long dir = OpenOut.decode(attack.ask(new DirectoryRequest.Opendir(attack.header(1), new OpenIn(0, 0)))
                            .payload())
                    .fh();
            for (int size : new int[] {0, 1, 999, 1000, 1001, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
                for (int room : new int[] {16, 17, 100, 1016, 4096}) {
                    ReadIn in = new ReadIn(fh, 0, size, 0, 0, 0);
                    Returned read = attack.ask(Attack.bytes(new FileRequest.Read(attack.header(file), in)), room);
                    long expected = Math.min(Math.min(Integer.toUnsignedLong(size), 1000), room - 16);
                    assertEquals(0, read.errno());
                    assertEquals(16 + expected, read.written(), size + " bytes into " + room);
                    assertTrue(attack.driver().isUntouchedFrom(read.written()));

                    ReadIn list = new ReadIn(dir, 0, size, 0, 0, 0);
                    Returned names =
                            attack.ask(Attack.bytes(new DirectoryRequest.Readdirplus(attack.header(1), list)), room);
                    assertTrue(names.written() <= room);
                    assertTrue(attack.driver().isUntouchedFrom(names.written()));
                }
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// Where a directory goes on is a number that the host has given. Any other is the host's to
    /// understand, and no mark keeps the directory from being read again.
    ///
    /// Caught: `lseek` left out of `DirectoryListing.read`.
    @ParameterizedTest
    @EnumSource
    void anInventedMarkIsHarmless(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            long dir = OpenOut.decode(attack.ask(new DirectoryRequest.Opendir(attack.header(1), new OpenIn(0, 0)))
                            .payload())
                    .fh();
            for (long mark :
                    new long[] {1, 1 << 20, 1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
                ReadIn in = new ReadIn(dir, mark, 4096, 0, 0, 0);
                int plain = attack.errno(new DirectoryRequest.Readdir(attack.header(1), in));
                int plus = attack.errno(new DirectoryRequest.Readdirplus(attack.header(1), in));
                assertTrue(plain == 0 || REFUSALS.contains(plain), () -> mark + ": " + Errno.name(plain));
                assertTrue(plus == 0 || REFUSALS.contains(plus), () -> mark + ": " + Errno.name(plus));

                ReadIn all = new ReadIn(dir, 0, 4096, 0, 0, 0);
                assertTrue(attack.ask(new DirectoryRequest.Readdir(attack.header(1), all))
                                .written()
                        > 100);
            }
            attack.verifyNothingIsHarmed();
        }
    }

    private static void verifyRefused(Attack attack, FuseRequest request) {
        int errno = attack.errno(request);
        assertTrue(REFUSALS.contains(errno), () -> request + ": " + Errno.name(errno));
    }

    private static FuseRequest write(Attack attack, long file, long fh, long offset) {
        return new FileRequest.Write(
                attack.header(file), new WriteIn(fh, offset, 10, 0, 0, 0), Buffers.ofBytes(new byte[10]));
    }

    private static FuseRequest copy(Attack attack, long file, CopyFileRangeIn in) {
        return new FileRequest.CopyFileRange64(attack.header(file), in);
    }

    private static FuseRequest truncate(Attack attack, long file, long size) {
        int valid = (int) SetattrFlag.SIZE.bit();
        return new InodeRequest.Setattr(
                attack.header(file), new SetattrIn(valid, 0, size, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }
}
