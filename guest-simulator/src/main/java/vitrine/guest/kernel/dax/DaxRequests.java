package vitrine.guest.kernel.dax;

import java.util.List;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FileRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.MappingFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.AttrOut;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.Capability;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.dax.FileRanges.Range;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.Killing;
import vitrine.posix.ErrnoException;
import vitrine.wire.Buffers;

/// What is still sent for a file in the window.
final class DaxRequests implements WindowRanges.Requests {

    private static final long NO_HANDLE = -1; // the mapping is the file's, whoever has it open
    private static final int GROW = Flag.word32(SetattrFlag.SIZE, SetattrFlag.FH, SetattrFlag.LOCKOWNER);

    private final FuseClient client;
    private final Decisions decisions;

    DaxRequests(FuseClient client, Decisions decisions) {
        this.client = client;
        this.decisions = decisions;
    }

    @Override
    public void setUp(Range range, boolean write) throws ErrnoException {
        long flags = MappingFlag.READ.bit() | (write ? MappingFlag.WRITE.bit() : 0);
        SetupMappingIn in =
                new SetupMappingIn(NO_HANDLE, range.number * WindowRanges.RANGE, WindowRanges.RANGE, flags, range.slot);
        client.ask(new DaxRequest.SetupMapping(client.kernelHeader(range.file.nodeid()), in));
    }

    @Override
    public void remove(FileRanges file, List<Range> ranges) throws ErrnoException {
        List<RemoveMappingOne> all = ranges.stream()
                .map(range -> new RemoveMappingOne(range.slot, WindowRanges.RANGE))
                .toList();
        client.ask(new DaxRequest.RemoveMapping(client.kernelHeader(file.nodeid()), all));
    }

    /// WRITE, out of the program's memory, which passes by no cache.
    int write(Task task, LinuxFile file, long offset, byte[] bytes) throws ErrnoException {
        boolean kill = decisions.by(
                new Killing.Flagged(true, client.has(InitFlag.HANDLE_KILLPRIV_V2), task.can(Capability.FSETID)));
        int flags = Flag.word32(WriteFlag.LOCKOWNER) | (kill ? Flag.word32(WriteFlag.KILL_SUIDGID) : 0);
        int written = 0;
        int accepted;
        int size;
        do {
            size = Math.min(bytes.length - written, client.largestData());
            WriteIn in = new WriteIn(file.fh(), offset + written, size, flags, 0, file.flags());
            Buffers data = Buffers.ofBytes(bytes).slice(written, size);
            accepted = client.ask(
                            new FileRequest.Write(client.header(task, file.nodeid()), in, data),
                            (int) WriteOut.LAYOUT.byteSize(),
                            WriteOut::decode)
                    .size();
            written += accepted;
        } while (accepted == size && written < bytes.length);
        file.inode().wrote(offset + written);
        return written;
    }

    /// FALLOCATE.
    void allocate(Task task, LinuxFile file, long offset, int length) throws ErrnoException {
        client.ask(new FileRequest.Fallocate(
                client.header(task, file.nodeid()), new FallocateIn(file.fh(), offset, length, 0)));
        file.inode().wrote(offset + length);
    }

    /// SETATTR of the size.
    void lengthen(Task task, LinuxFile file, long size) throws ErrnoException {
        SetattrIn in = new SetattrIn(GROW, file.fh(), size, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        AttrOut out = client.ask(
                new InodeRequest.Setattr(client.header(task, file.nodeid()), in),
                (int) AttrOut.LAYOUT.byteSize(),
                AttrOut::decode);
        file.inode().changedTo(out, true);
    }
}
