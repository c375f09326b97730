package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import vitrine.fuse.struct.FsyncIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.LinkIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.MknodIn;
import vitrine.fuse.struct.OpenIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.ReleaseIn;
import vitrine.fuse.struct.Rename2In;
import vitrine.fuse.struct.RenameIn;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// Requests that change the names in a directory, or read them.
public sealed interface DirectoryRequest extends FuseRequest {

    /// SYMLINK makes a symbolic link. On the wire the name comes first, the target second.
    record Symlink(InHeader header, Name name, Name target, Extensions extensions) implements DirectoryRequest {

        public Symlink {
            header = framed(header, Opcode.SYMLINK, name.length() + 1 + target.length() + 1, extensions);
        }

        /// Without extensions.
        public Symlink(InHeader header, Name name, Name target) {
            this(header, name, target, Extensions.NONE);
        }

        static Symlink decode(Incoming in) throws MalformedException {
            Name name = in.body().name();
            Name target = in.body().name();
            return new Symlink(in.header(), name, target, in.extensions());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            out.name(name);
            out.name(target);
            extensions.encode(out);
        }
    }

    /// MKNOD makes a file, FIFO, socket or device without opening it.
    record Mknod(InHeader header, MknodIn in, Name name, Extensions extensions) implements DirectoryRequest {

        public Mknod {
            header = framed(header, Opcode.MKNOD, in.sizeInBytes() + name.length() + 1, extensions);
        }

        /// Without extensions.
        public Mknod(InHeader header, MknodIn in, Name name) {
            this(header, in, name, Extensions.NONE);
        }

        static Mknod decode(Incoming in) throws MalformedException {
            MknodIn args = MknodIn.decode(in.body());
            Name name = in.body().name();
            return new Mknod(in.header(), args, name, in.extensions());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(name);
            extensions.encode(out);
        }
    }

    /// MKDIR makes a directory.
    record Mkdir(InHeader header, MkdirIn in, Name name, Extensions extensions) implements DirectoryRequest {

        public Mkdir {
            header = framed(header, Opcode.MKDIR, in.sizeInBytes() + name.length() + 1, extensions);
        }

        /// Without extensions.
        public Mkdir(InHeader header, MkdirIn in, Name name) {
            this(header, in, name, Extensions.NONE);
        }

        static Mkdir decode(Incoming in) throws MalformedException {
            MkdirIn args = MkdirIn.decode(in.body());
            Name name = in.body().name();
            return new Mkdir(in.header(), args, name, in.extensions());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(name);
            extensions.encode(out);
        }
    }

    /// UNLINK removes the name of a file.
    record Unlink(InHeader header, Name name) implements DirectoryRequest {

        public Unlink {
            header = framed(header, Opcode.UNLINK, name.length() + 1);
        }

        static Unlink decode(Incoming in) throws MalformedException {
            return new Unlink(in.header(), in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            out.name(name);
        }
    }

    /// RMDIR removes an empty directory.
    record Rmdir(InHeader header, Name name) implements DirectoryRequest {

        public Rmdir {
            header = framed(header, Opcode.RMDIR, name.length() + 1);
        }

        static Rmdir decode(Incoming in) throws MalformedException {
            return new Rmdir(in.header(), in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            out.name(name);
        }
    }

    /// RENAME moves a name from the header's directory to another.
    record Rename(InHeader header, RenameIn in, Name oldName, Name newName) implements DirectoryRequest {

        public Rename {
            header = framed(header, Opcode.RENAME, in.sizeInBytes() + oldName.length() + 1 + newName.length() + 1);
        }

        static Rename decode(Incoming in) throws MalformedException {
            RenameIn args = RenameIn.decode(in.body());
            Name oldName = in.body().name();
            return new Rename(in.header(), args, oldName, in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(oldName);
            out.name(newName);
        }
    }

    /// LINK gives a file one more name in the header's directory.
    record Link(InHeader header, LinkIn in, Name newName) implements DirectoryRequest {

        public Link {
            header = framed(header, Opcode.LINK, in.sizeInBytes() + newName.length() + 1);
        }

        static Link decode(Incoming in) throws MalformedException {
            LinkIn args = LinkIn.decode(in.body());
            return new Link(in.header(), args, in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(newName);
        }
    }

    /// OPENDIR opens a directory.
    record Opendir(InHeader header, OpenIn in) implements DirectoryRequest {

        public Opendir {
            header = framed(header, Opcode.OPENDIR, in.sizeInBytes());
        }

        static Opendir decode(Incoming in) throws MalformedException {
            OpenIn args = OpenIn.decode(in.body());
            in.end();
            return new Opendir(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// READDIR reads entries of an open directory into `into`.
    record Readdir(InHeader header, ReadIn in, Buffers into) implements DirectoryRequest {

        public Readdir {
            header = framed(header, Opcode.READDIR, in.sizeInBytes());
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Readdir(InHeader header, ReadIn in) {
            this(header, in, Buffers.EMPTY);
        }

        static Readdir decode(Incoming in) throws MalformedException {
            ReadIn args = ReadIn.decode(in.body());
            in.end();
            return new Readdir(in.header(), args, in.room(args.size()));
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// RELEASEDIR gives up an open directory after its last close.
    record Releasedir(InHeader header, ReleaseIn in) implements DirectoryRequest {

        public Releasedir {
            header = framed(header, Opcode.RELEASEDIR, in.sizeInBytes());
        }

        static Releasedir decode(Incoming in) throws MalformedException {
            ReleaseIn args = ReleaseIn.decode(in.body());
            in.end();
            return new Releasedir(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// FSYNCDIR makes an open directory durable.
    record Fsyncdir(InHeader header, FsyncIn in) implements DirectoryRequest {

        public Fsyncdir {
            header = framed(header, Opcode.FSYNCDIR, in.sizeInBytes());
        }

        static Fsyncdir decode(Incoming in) throws MalformedException {
            FsyncIn args = FsyncIn.decode(in.body());
            in.end();
            return new Fsyncdir(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// READDIRPLUS reads entries of an open directory into `into`, and looks each of them up.
    record Readdirplus(InHeader header, ReadIn in, Buffers into) implements DirectoryRequest {

        public Readdirplus {
            header = framed(header, Opcode.READDIRPLUS, in.sizeInBytes());
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Readdirplus(InHeader header, ReadIn in) {
            this(header, in, Buffers.EMPTY);
        }

        static Readdirplus decode(Incoming in) throws MalformedException {
            ReadIn args = ReadIn.decode(in.body());
            in.end();
            return new Readdirplus(in.header(), args, in.room(args.size()));
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// RENAME2 moves a name without replacing another, or exchanges two.
    record Rename2(InHeader header, Rename2In in, Name oldName, Name newName) implements DirectoryRequest {

        public Rename2 {
            header = framed(header, Opcode.RENAME2, in.sizeInBytes() + oldName.length() + 1 + newName.length() + 1);
        }

        static Rename2 decode(Incoming in) throws MalformedException {
            Rename2In args = Rename2In.decode(in.body());
            Name oldName = in.body().name();
            return new Rename2(in.header(), args, oldName, in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(oldName);
            out.name(newName);
        }
    }
}
