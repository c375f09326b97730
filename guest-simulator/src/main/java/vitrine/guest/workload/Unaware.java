package vitrine.guest.workload;

import vitrine.fuse.FileSystem;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.Reply;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.InitIn;
import vitrine.posix.ErrnoException;

/// A file system that does not get to see some flags of INIT, as if the guest's kernel were one
/// without those features: this host's cannot be told to forget them.
///
/// @param real what answers
/// @param withheld the flags, as one word of 64 bits
public record Unaware(FileSystem real, long withheld) implements FileSystem {

    /// One that does not see these.
    public Unaware(FileSystem real, InitFlag... withheld) {
        this(real, Flag.word(withheld));
    }

    @Override
    public Reply answer(FuseRequest request) throws ErrnoException {
        if (!(request instanceof SessionRequest.Init(InHeader header, InitIn in))) {
            return real.answer(request);
        }
        long left = in.allFlags() & ~withheld;
        InitIn fewer = new InitIn(in.major(), in.minor(), in.maxReadahead(), (int) left, (int) (left >>> Integer.SIZE));
        return real.answer(new SessionRequest.Init(header, fewer));
    }
}
