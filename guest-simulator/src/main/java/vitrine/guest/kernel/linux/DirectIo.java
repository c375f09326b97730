package vitrine.guest.kernel.linux;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import vitrine.fuse.FileRequest;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.ReadFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.fuse.struct.WriteOut;
import vitrine.guest.kernel.Completion;
import vitrine.guest.kernel.Task;
import vitrine.guest.kernel.cache.GuestInode;
import vitrine.guest.kernel.cache.LinuxFile;
import vitrine.guest.kernel.cache.PageCache;
import vitrine.guest.kernel.cache.Part;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.DirectPiece;
import vitrine.guest.kernel.rule.Flushing.Occasion;
import vitrine.posix.ErrnoException;
import vitrine.wire.Buffers;

/// Data that passes the page cache by: between the program's memory and the server, in pieces that
/// fit into a request ([DirectPiece]).
final class DirectIo {

    private static final int PAGE = PageCache.PAGE;

    private final Mount mount;
    private final FuseClient client;
    private final KillPriv killPriv;
    private final WriteBack writeBack;

    DirectIo(Mount mount, KillPriv killPriv, WriteBack writeBack) {
        this.mount = mount;
        this.client = mount.client();
        this.killPriv = killPriv;
        this.writeBack = writeBack;
    }

    /// One READ or WRITE of a transfer.
    ///
    /// @param wanted how many bytes it is to move
    private record Piece<T>(int wanted, Completion<T> under) {}

    /// A read: all pieces at once, or the next when the one before is there.
    Completion<byte[]> read(Task task, LinuxFile file, long offset, int count, Transfer how) throws ErrnoException {
        writeBack.flush(task, file.inode(), Occasion.DIRECT);
        if (!mayBeTogether(how)) {
            return Completion.of(readInTurn(task, file, offset, count, how.place()));
        }
        List<Piece<byte[]>> pieces = new ArrayList<>();
        int size;
        for (int at = 0; at < count; at += size) {
            size = piece(count - at, how.place() + at);
            pieces.add(new Piece<>(
                    size,
                    client.submit(
                            readRequest(task, file, offset + at, size),
                            size,
                            in -> in.rest().toBytes())));
        }
        return new Together<>(pieces) {

            @Override
            byte[] put(List<Piece<byte[]>> all) throws ErrnoException {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                boolean ended = false; // what comes behind a short piece does not count
                for (Piece<byte[]> piece : all) {
                    byte[] got = piece.under().await();
                    if (!ended) {
                        bytes.writeBytes(got);
                    }
                    ended |= got.length < piece.wanted();
                }
                file.inode().changed(Set.of(Part.ACCESS_TIME));
                return bytes.toByteArray();
            }
        };
    }

    private boolean mayBeTogether(Transfer how) {
        return !how.inTurn() && client.has(InitFlag.ASYNC_DIO);
    }

    private int piece(int left, int at) {
        return mount.by(new DirectPiece(left, at % PAGE, client.largestData(), client.mostPages()));
    }

    private byte[] readInTurn(Task task, LinuxFile file, long offset, int count, int place) throws ErrnoException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < count) {
            int wanted = piece(count - bytes.size(), place + bytes.size());
            byte[] got = client.ask(
                    readRequest(task, file, offset + bytes.size(), wanted),
                    wanted,
                    reply -> reply.rest().toBytes());
            bytes.writeBytes(got);
            if (got.length < wanted) {
                break; // the end of the file
            }
        }
        file.inode().changed(Set.of(Part.ACCESS_TIME));
        return bytes.toByteArray();
    }

    private FileRequest.Read readRequest(Task task, LinuxFile file, long offset, int size) {
        ReadIn in = new ReadIn(
                file.fh(), offset, size, Flag.word32(ReadFlag.LOCKOWNER), FileLocks.owner(task), file.flags());
        return new FileRequest.Read(client.header(task, file.nodeid()), in);
    }

    /// A write, likewise. One that makes the file longer is over when this returns. The file's lock
    /// is held.
    Completion<Integer> write(Task task, LinuxFile file, long offset, byte[] bytes, Transfer how)
            throws ErrnoException {
        GuestInode inode = file.inode();
        writeBack.flushFrom(inode, offset);
        inode.pages().drop(offset / PAGE, (offset + bytes.length + PAGE - 1) / PAGE);
        if (!mayBeTogether(how)) {
            return Completion.of(writeInTurn(task, file, offset, bytes, how.place()));
        }
        int flags = flags(task);
        List<Piece<Integer>> pieces = new ArrayList<>();
        int size;
        for (int at = 0; at < bytes.length; at += size) {
            size = piece(bytes.length - at, how.place() + at);
            pieces.add(new Piece<>(
                    size,
                    client.submit(
                            writeRequest(
                                    task,
                                    file,
                                    offset + at,
                                    Buffers.ofBytes(bytes).slice(at, size),
                                    flags),
                            (int) WriteOut.LAYOUT.byteSize(),
                            in -> WriteOut.decode(in).size())));
        }
        Completion<Integer> all = together(pieces, file, offset, bytes.length);
        if (offset + bytes.length > inode.size()) {
            all.await();
        }
        return all;
    }

    private static Completion<Integer> together(List<Piece<Integer>> pieces, LinuxFile file, long offset, int length) {
        return new Together<>(pieces) {

            @Override
            Integer put(List<Piece<Integer>> parts) throws ErrnoException {
                int written = 0;
                boolean ended = false;
                for (Piece<Integer> piece : parts) {
                    int accepted = piece.under().await();
                    written += ended ? 0 : accepted;
                    ended |= accepted < piece.wanted();
                }
                settle(file, offset, written, length);
                return written;
            }
        };
    }

    private int flags(Task task) {
        return Flag.word32(WriteFlag.LOCKOWNER)
                | (killPriv.flagged(task, true) ? Flag.word32(WriteFlag.KILL_SUIDGID) : 0);
    }

    private int writeInTurn(Task task, LinuxFile file, long offset, byte[] bytes, int place) throws ErrnoException {
        int flags = flags(task);
        int written = 0;
        while (written < bytes.length) {
            int size = piece(bytes.length - written, place + written);
            int accepted = client.ask(
                            writeRequest(
                                    task,
                                    file,
                                    offset + written,
                                    Buffers.ofBytes(bytes).slice(written, size),
                                    flags),
                            (int) WriteOut.LAYOUT.byteSize(),
                            WriteOut::decode)
                    .size();
            written += accepted;
            if (accepted < size) {
                break; // a short write is the server's right
            }
        }
        settle(file, offset, written, bytes.length);
        return written;
    }

    private static void settle(LinuxFile file, long offset, int written, int wanted) {
        file.inode().pages().drop(offset / PAGE, (offset + wanted + PAGE - 1) / PAGE);
        file.inode().wrote(written > 0 ? offset + written : 0);
    }

    private FileRequest.Write writeRequest(Task task, LinuxFile file, long offset, Buffers data, int flags) {
        WriteIn in = new WriteIn(file.fh(), offset, (int) data.size(), flags, FileLocks.owner(task), file.flags());
        return new FileRequest.Write(client.header(task, file.nodeid()), in, data);
    }

    /// A transfer whose pieces are under way together.
    private abstract static class Together<T> implements Completion<T> {

        private final List<Piece<T>> pieces;
        private T result;

        Together(List<Piece<T>> pieces) {
            this.pieces = pieces;
        }

        /// Waits for all pieces and puts them together.
        abstract T put(List<Piece<T>> all) throws ErrnoException;

        @Override
        public boolean isDone() {
            return pieces.stream().allMatch(piece -> piece.under().isDone());
        }

        @Override
        public synchronized T await() throws ErrnoException {
            if (result == null) {
                result = put(pieces);
            }
            return result;
        }
    }
}
