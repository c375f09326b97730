package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.BmapIn;
import vitrine.fuse.struct.FileLock;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.InitOut;
import vitrine.fuse.struct.InterruptIn;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.PollIn;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.passthrough.CachePolicy;
import vitrine.passthrough.Feature;
import vitrine.passthrough.PassthroughOptions;
import vitrine.posix.Errno;
import vitrine.wire.Buffers;

/// INIT, DESTROY, and the requests that are refused on purpose.
class SessionTest extends SharedFolder {

    private static final PassthroughOptions BARE = PassthroughOptions.DEFAULT
            .with(Feature.KILLPRIV_V2, false)
            .with(Feature.READDIRPLUS, false)
            .with(Feature.ANNOUNCE_SUBMOUNTS, false)
            .with(Feature.IDMAPPED_MOUNTS, false);

    private static final InitFlag[] ALWAYS = {
        InitFlag.ASYNC_READ,
        InitFlag.EXPORT_SUPPORT,
        InitFlag.BIG_WRITES,
        InitFlag.AUTO_INVAL_DATA,
        InitFlag.ASYNC_DIO,
        InitFlag.PARALLEL_DIROPS,
        InitFlag.MAX_PAGES,
        InitFlag.INIT_EXT,
        InitFlag.HAS_IOCTL_DIR,
        InitFlag.CREATE_SUPP_GROUP
    };

    @BeforeEach
    void serve() throws Exception {
        serve(BARE);
    }

    private static long word(InitFlag... flags) {
        long word = 0;
        for (InitFlag flag : flags) {
            word |= flag.bit();
        }
        return word;
    }

    private InitOut initWith(PassthroughOptions options) throws Exception {
        serve(options);
        return guest.init(45, Guest.ALL_FLAGS);
    }

    /// Taken is what is offered and done: nothing more for an old guest, each option its own flag.
    ///
    /// Caught: a flag answered that was not offered.
    @Test
    void flagsAreTakenIfOfferedAndDone() throws Exception {
        long always = word(ALWAYS);

        assertEquals(always, initWith(BARE).allFlags());
        assertEquals(0, guest.init(45, 0).allFlags());
        assertEquals(
                word(InitFlag.BIG_WRITES),
                guest.init(45, word(InitFlag.BIG_WRITES, InitFlag.POSIX_LOCKS)).allFlags());
        assertEquals(
                always | word(InitFlag.DO_READDIRPLUS, InitFlag.READDIRPLUS_AUTO),
                initWith(BARE.with(Feature.READDIRPLUS)).allFlags());
        assertEquals(
                always | word(InitFlag.HANDLE_KILLPRIV_V2, InitFlag.ATOMIC_O_TRUNC),
                initWith(BARE.with(Feature.KILLPRIV_V2)).allFlags());
        assertEquals(
                always | word(InitFlag.WRITEBACK_CACHE),
                initWith(BARE.with(Feature.WRITEBACK)).allFlags());
        assertEquals(
                always | word(InitFlag.DIRECT_IO_ALLOW_MMAP),
                initWith(BARE.with(Feature.ALLOW_MMAP)).allFlags());
        assertEquals(
                always | word(InitFlag.SUBMOUNTS),
                initWith(BARE.with(Feature.ANNOUNCE_SUBMOUNTS)).allFlags());
        assertEquals(
                always | word(InitFlag.ALLOW_IDMAP),
                initWith(BARE.with(Feature.IDMAPPED_MOUNTS)).allFlags());
        assertEquals(always, initWith(BARE.withCache(CachePolicy.NEVER)).allFlags()); // no READDIRPLUS
    }

    /// A flag of the upper word counts only if the guest says that it has an upper word.
    ///
    /// Field report: probe: SECURITY_CTX without INIT_EXT.
    @Test
    void theUpperWordNeedsInitExt() throws Exception {
        assertEquals(0, guest.init(38, word(InitFlag.CREATE_SUPP_GROUP)).allFlags());
        InitOut both = guest.init(38, word(InitFlag.CREATE_SUPP_GROUP, InitFlag.INIT_EXT));
        assertEquals(word(InitFlag.CREATE_SUPP_GROUP, InitFlag.INIT_EXT), both.allFlags());
    }

    /// The smaller version is spoken; a newer major hears ours, an older one is refused.
    ///
    /// Caught: the number compared with its sign.
    @Test
    void theSmallerVersionIsSpoken() throws Exception {
        for (int minor = 27; minor <= 45; minor++) {
            assertEquals(minor, guest.init(minor, 0).minor());
        }
        assertEquals(45, guest.init(46, 0).minor());
        assertEquals(45, guest.init(-1, 0).minor());
        assertEquals(Errno.EPROTO, Guest.errnoOf(() -> guest.init(26, 0)));
        assertEquals(Errno.EPROTO, guest.errno(new SessionRequest.Init(guest.header(0), new InitIn(6, 45, 0, 0, 0))));
        InitOut ours =
                guest.struct(InitOut.class, new SessionRequest.Init(guest.header(0), new InitIn(8, 0, 4096, -1, -1)));
        assertEquals(new InitOut(7, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), ours);
    }

    /// A WRITE of 1 MiB, in 256 pages; times to the nanosecond.
    @Test
    void theLimitsAreThoseOfLinux() throws Exception {
        InitOut out = guest.init(38, Guest.ALL_FLAGS);

        assertEquals(1 << 20, out.maxWrite());
        assertEquals(256, out.maxPages());
        assertEquals(1, out.timeGran());
        assertEquals(131072, out.maxReadahead());
    }

    /// A second INIT, and DESTROY, end all nodeids and handles, and close every descriptor.
    ///
    /// Caught: handles or nodeids that live on.
    @Test
    void aNewSessionStartsEmpty() throws Exception {
        Files.writeString(share.resolve("f"), "");
        FuseRequest[] ends = {
            new SessionRequest.Init(guest.header(0), new InitIn(7, 38, 0, 0, 0)),
            new SessionRequest.Destroy(guest.header(0))
        };
        for (FuseRequest end : ends) {
            long before = descriptors();
            long node = guest.node("f");
            long fh = guest.open(node, 0);
            guest.opendir(Guest.ROOT);
            assertNotEquals(before, descriptors());

            assertEquals(0, guest.errno(end));

            assertEquals(before, descriptors());
            assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(node)));
            assertEquals(Errno.EBADF, Guest.errnoOf(() -> guest.read(node, fh, 0, 1)));
            assertEquals(0, Guest.errnoOf(() -> guest.getattr(Guest.ROOT)));
        }
    }

    private static long descriptors() throws Exception {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /// What nobody answers is not answered.
    @Test
    void someRequestsHaveNoReply() throws Exception {
        Files.writeString(share.resolve("f"), "");
        long node = guest.node("f");

        assertEquals(Reply.NONE, guest.ask(new SessionRequest.Interrupt(guest.header(0), new InterruptIn(7))));
        assertEquals(
                Reply.NONE,
                guest.ask(new InodeRequest.BatchForget(
                        guest.header(0), List.of(new ForgetOne(node, 1), new ForgetOne(99, 1)))));
        assertEquals(Errno.ESTALE, Guest.errnoOf(() -> guest.getattr(node)));
    }

    /// The rest is ENOSYS, by decision: the guest's kernel then does it alone, or does without.
    @Test
    void whatIsNotDoneIsUnknown() throws Exception {
        LkIn lock = new LkIn(1, 2, new FileLock(0, 1, 0, 3), 0);
        FuseRequest[] requests = {
            new InodeRequest.Bmap(guest.header(1), new BmapIn(0, 512)),
            new FileRequest.Poll(guest.header(1), new PollIn(0, 0, 0, 0)),
            new LockRequest.Getlk(guest.header(1), lock),
            new LockRequest.Setlk(guest.header(1), lock),
            new LockRequest.Setlkw(guest.header(1), lock),
            new DaxRequest.SetupMapping(guest.header(1), new SetupMappingIn(-1, 0, 1 << 21, 2, 0)),
            new DaxRequest.RemoveMapping(guest.header(1), List.of(new RemoveMappingOne(0, 1 << 21))),
            new SessionRequest.Unknown(guest.header(1).framing(4096, 0, 0), Buffers.EMPTY)
        };

        for (FuseRequest request : requests) {
            assertEquals(Errno.ENOSYS, guest.errno(request), request.toString());
        }
    }
}
