package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import vitrine.fuse.struct.CopyFileRangeIn;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.FallocateIn;
import vitrine.fuse.struct.FlushIn;
import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.IoctlIn;
import vitrine.fuse.struct.IoctlOut;
import vitrine.fuse.struct.LseekIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.PollIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// Requests about the data of a file, which is open or becomes so.
public sealed interface FileRequest extends FuseRequest {

    /// The struct that the arguments begin with, and usually end with.
    WireStruct in();

    @Override
    default void encodeArgs(WireWriter out) {
        in().encode(out);
    }

    /// OPEN opens a file that exists.
    record Open(InHeader header, OpenIn in) implements FileRequest {

        public Open {
            header = framed(header, Opcode.OPEN, in.sizeInBytes());
        }

        static Open decode(Incoming in) throws MalformedException {
            OpenIn args = OpenIn.decode(in.body());
            in.end();
            return new Open(in.header(), args);
        }
    }

    /// READ reads data of an open file into `into`. That is `in.size()` bytes long, or less if the
    /// guest has left less room; fewer bytes read than asked for mean the end of the file.
    record Read(InHeader header, ReadIn in, Buffers into) implements FileRequest {

        public Read {
            header = framed(header, Opcode.READ, in.sizeInBytes());
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Read(InHeader header, ReadIn in) {
            this(header, in, Buffers.EMPTY);
        }

        static Read decode(Incoming in) throws MalformedException {
            ReadIn args = ReadIn.decode(in.body());
            in.end();
            return new Read(in.header(), args, in.room(args.size()));
        }
    }

    /// WRITE writes `data`, exactly `in.size()` bytes, to an open file.
    record Write(InHeader header, WriteIn in, Buffers data) implements FileRequest {

        public Write {
            header = framed(header, Opcode.WRITE, in.sizeInBytes() + data.size());
        }

        static Write decode(Incoming in) throws MalformedException {
            WriteIn args = WriteIn.decode(in.body());
            return new Write(in.header(), args, in.data(args.size()));
        }
    }

    /// RELEASE gives up an open file after its last close. The guest does not look at the answer.
    record Release(InHeader header, ReleaseIn in) implements FileRequest {

        public Release {
            header = framed(header, Opcode.RELEASE, in.sizeInBytes());
        }

        static Release decode(Incoming in) throws MalformedException {
            ReleaseIn args = ReleaseIn.decode(in.body());
            in.end();
            return new Release(in.header(), args);
        }
    }

    /// FSYNC makes the data of an open file durable.
    record Fsync(InHeader header, FsyncIn in) implements FileRequest {

        public Fsync {
            header = framed(header, Opcode.FSYNC, in.sizeInBytes());
        }

        static Fsync decode(Incoming in) throws MalformedException {
            FsyncIn args = FsyncIn.decode(in.body());
            in.end();
            return new Fsync(in.header(), args);
        }
    }

    /// FLUSH tells that a descriptor of an open file is closed. Its error is the error of close(2).
    record Flush(InHeader header, FlushIn in) implements FileRequest {

        public Flush {
            header = framed(header, Opcode.FLUSH, in.sizeInBytes());
        }

        static Flush decode(Incoming in) throws MalformedException {
            FlushIn args = FlushIn.decode(in.body());
            in.end();
            return new Flush(in.header(), args);
        }
    }

    /// CREATE makes a file in the header's directory and opens it; its answer is an entry and an
    /// open file.
    record Create(InHeader header, CreateIn in, Name name, Extensions extensions) implements FileRequest {

        public Create {
            header = framed(header, Opcode.CREATE, in.sizeInBytes() + name.length() + 1, extensions);
        }

        /// Without extensions.
        public Create(InHeader header, CreateIn in, Name name) {
            this(header, in, name, Extensions.NONE);
        }

        static Create decode(Incoming in) throws MalformedException {
            CreateIn args = CreateIn.decode(in.body());
            Name name = in.body().name();
            return new Create(in.header(), args, name, in.extensions());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(name);
            extensions.encode(out);
        }
    }

    /// IOCTL does an ioctl(2) on an open file. Output goes to `into`, which lies behind the
    /// `fuse_ioctl_out` of the reply.
    record Ioctl(InHeader header, IoctlIn in, Buffers input, Buffers into) implements FileRequest {

        public Ioctl {
            header = framed(header, Opcode.IOCTL, in.sizeInBytes() + input.size());
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Ioctl(InHeader header, IoctlIn in, Buffers input) {
            this(header, in, input, Buffers.EMPTY);
        }

        static Ioctl decode(Incoming in) throws MalformedException {
            IoctlIn args = IoctlIn.decode(in.body());
            Buffers input = in.data(args.inSize());
            Buffers into = in.room((int) IoctlOut.LAYOUT.byteSize(), Integer.toUnsignedLong(args.outSize()));
            return new Ioctl(in.header(), args, input, into);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.buffers(input);
        }
    }

    /// POLL asks which events an open file has.
    record Poll(InHeader header, PollIn in) implements FileRequest {

        public Poll {
            header = framed(header, Opcode.POLL, in.sizeInBytes());
        }

        static Poll decode(Incoming in) throws MalformedException {
            PollIn args = PollIn.decode(in.body());
            in.end();
            return new Poll(in.header(), args);
        }
    }

    /// FALLOCATE reserves, frees or zeroes space of an open file.
    record Fallocate(InHeader header, FallocateIn in) implements FileRequest {

        public Fallocate {
            header = framed(header, Opcode.FALLOCATE, in.sizeInBytes());
        }

        static Fallocate decode(Incoming in) throws MalformedException {
            FallocateIn args = FallocateIn.decode(in.body());
            in.end();
            return new Fallocate(in.header(), args);
        }
    }

    /// LSEEK finds the next data or the next hole of an open file.
    record Lseek(InHeader header, LseekIn in) implements FileRequest {

        public Lseek {
            header = framed(header, Opcode.LSEEK, in.sizeInBytes());
        }

        static Lseek decode(Incoming in) throws MalformedException {
            LseekIn args = LseekIn.decode(in.body());
            in.end();
            return new Lseek(in.header(), args);
        }
    }

    /// COPY_FILE_RANGE copies from one open file to another within the host; its answer has 32
    /// bits.
    record CopyFileRange(InHeader header, CopyFileRangeIn in) implements FileRequest {

        public CopyFileRange {
            header = framed(header, Opcode.COPY_FILE_RANGE, in.sizeInBytes());
        }

        static CopyFileRange decode(Incoming in) throws MalformedException {
            CopyFileRangeIn args = CopyFileRangeIn.decode(in.body());
            in.end();
            return new CopyFileRange(in.header(), args);
        }
    }

    /// TMPFILE makes a file without a name in the header's directory and opens it. The name that
    /// Linux sends along means nothing.
    record Tmpfile(InHeader header, CreateIn in, Name name, Extensions extensions) implements FileRequest {

        public Tmpfile {
            header = framed(header, Opcode.TMPFILE, in.sizeInBytes() + name.length() + 1, extensions);
        }

        /// Without extensions.
        public Tmpfile(InHeader header, CreateIn in, Name name) {
            this(header, in, name, Extensions.NONE);
        }

        static Tmpfile decode(Incoming in) throws MalformedException {
            CreateIn args = CreateIn.decode(in.body());
            Name name = in.body().name();
            return new Tmpfile(in.header(), args, name, in.extensions());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(name);
            extensions.encode(out);
        }
    }

    /// COPY_FILE_RANGE_64 copies like [CopyFileRange]; its answer has 64 bits.
    record CopyFileRange64(InHeader header, CopyFileRangeIn in) implements FileRequest {

        public CopyFileRange64 {
            header = framed(header, Opcode.COPY_FILE_RANGE_64, in.sizeInBytes());
        }

        static CopyFileRange64 decode(Incoming in) throws MalformedException {
            CopyFileRangeIn args = CopyFileRangeIn.decode(in.body());
            in.end();
            return new CopyFileRange64(in.header(), args);
        }
    }
}
