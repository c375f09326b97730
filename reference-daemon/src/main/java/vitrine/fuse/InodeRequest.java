package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.struct.AccessIn;
import vitrine.fuse.struct.BatchForgetIn;
import vitrine.fuse.struct.BmapIn;
import vitrine.fuse.struct.ForgetIn;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.GetattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.StatxIn;
import vitrine.fuse.struct.SyncfsIn;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// Requests about an inode that need no open file: finding and forgetting it, and its attributes.
public sealed interface InodeRequest extends FuseRequest {

    /// LOOKUP finds the inode that a name in a directory stands for; the header names the
    /// directory.
    record Lookup(InHeader header, Name name) implements InodeRequest {

        public Lookup {
            header = framed(header, Opcode.LOOKUP, name.length() + 1);
        }

        static Lookup decode(Incoming in) throws MalformedException {
            return new Lookup(in.header(), in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            out.name(name);
        }
    }

    /// FORGET takes back lookups of an inode. Nothing answers it.
    record Forget(InHeader header, ForgetIn in) implements InodeRequest {

        public Forget {
            header = framed(header, Opcode.FORGET, in.sizeInBytes());
        }

        static Forget decode(Incoming in) throws MalformedException {
            ForgetIn args = ForgetIn.decode(in.body());
            in.end();
            return new Forget(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// GETATTR reads the attributes of an inode.
    record Getattr(InHeader header, GetattrIn in) implements InodeRequest {

        public Getattr {
            header = framed(header, Opcode.GETATTR, in.sizeInBytes());
        }

        static Getattr decode(Incoming in) throws MalformedException {
            GetattrIn args = GetattrIn.decode(in.body());
            in.end();
            return new Getattr(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// SETATTR changes mode, owner, size or times of an inode.
    record Setattr(InHeader header, SetattrIn in) implements InodeRequest {

        public Setattr {
            header = framed(header, Opcode.SETATTR, in.sizeInBytes());
        }

        static Setattr decode(Incoming in) throws MalformedException {
            SetattrIn args = SetattrIn.decode(in.body());
            in.end();
            return new Setattr(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// READLINK reads the target of a symbolic link, without NUL, into `into`.
    record Readlink(InHeader header, Buffers into) implements InodeRequest {

        public Readlink {
            header = framed(header, Opcode.READLINK, 0);
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Readlink(InHeader header) {
            this(header, Buffers.EMPTY);
        }

        static Readlink decode(Incoming in) throws MalformedException {
            in.end();
            return new Readlink(in.header(), in.allRoom());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            // It has none.
        }
    }

    /// STATFS tells how large and how full the file system is.
    record Statfs(InHeader header) implements InodeRequest {

        public Statfs {
            header = framed(header, Opcode.STATFS, 0);
        }

        static Statfs decode(Incoming in) throws MalformedException {
            in.end();
            return new Statfs(in.header());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            // It has none.
        }
    }

    /// ACCESS checks permissions.
    record Access(InHeader header, AccessIn in, Extensions extensions) implements InodeRequest {

        public Access {
            header = framed(header, Opcode.ACCESS, in.sizeInBytes(), extensions);
        }

        static Access decode(Incoming in) throws MalformedException {
            AccessIn args = AccessIn.decode(in.body());
            return new Access(in.header(), args, in.extensions());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            extensions.encode(out);
        }
    }

    /// BMAP asks where a block of a file lies on its disk.
    record Bmap(InHeader header, BmapIn in) implements InodeRequest {

        public Bmap {
            header = framed(header, Opcode.BMAP, in.sizeInBytes());
        }

        static Bmap decode(Incoming in) throws MalformedException {
            BmapIn args = BmapIn.decode(in.body());
            in.end();
            return new Bmap(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// BATCH_FORGET takes back lookups of many inodes; the header's nodeid means nothing. Nothing
    /// answers it.
    record BatchForget(InHeader header, List<ForgetOne> forgets) implements InodeRequest {

        public BatchForget {
            forgets = List.copyOf(forgets);
            header = framed(header, Opcode.BATCH_FORGET, 8 + 16L * forgets.size());
        }

        static BatchForget decode(Incoming in) throws MalformedException {
            int count = in.elements(BatchForgetIn.decode(in.body()).count(), (int) ForgetOne.LAYOUT.byteSize());
            List<ForgetOne> forgets = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                forgets.add(ForgetOne.decode(in.body()));
            }
            return new BatchForget(in.header(), forgets);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            new BatchForgetIn(forgets.size()).encode(out);
            forgets.forEach(one -> one.encode(out));
        }
    }

    /// SYNCFS makes the whole file system durable on which the inode is.
    record Syncfs(InHeader header, SyncfsIn in) implements InodeRequest {

        public Syncfs {
            header = framed(header, Opcode.SYNCFS, in.sizeInBytes());
        }

        static Syncfs decode(Incoming in) throws MalformedException {
            SyncfsIn args = SyncfsIn.decode(in.body());
            in.end();
            return new Syncfs(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// STATX reads more attributes of an inode than GETATTR.
    record Statx(InHeader header, StatxIn in) implements InodeRequest {

        public Statx {
            header = framed(header, Opcode.STATX, in.sizeInBytes());
        }

        static Statx decode(Incoming in) throws MalformedException {
            StatxIn args = StatxIn.decode(in.body());
            in.end();
            return new Statx(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }
}
