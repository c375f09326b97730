package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import vitrine.fuse.struct.GetxattrIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireWriter;

/// Requests about extended attributes.
public sealed interface XattrRequest extends FuseRequest {

    /// SETXATTR sets an extended attribute to `value`, exactly `in.size()` bytes.
    record Setxattr(InHeader header, SetxattrIn in, Name name, Buffers value) implements XattrRequest {

        public Setxattr {
            header = framed(header, Opcode.SETXATTR, in.sizeInBytes() + name.length() + 1 + value.size());
        }

        static Setxattr decode(Incoming in) throws MalformedException {
            SetxattrIn args = SetxattrIn.decode(in.body(), in.dialect().extendedSetxattr());
            Name name = in.body().name();
            return new Setxattr(in.header(), args, name, in.data(args.size()));
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(name);
            out.buffers(value);
        }
    }

    /// GETXATTR reads an extended attribute into `into`, or tells its size if `in.size()` is 0.
    record Getxattr(InHeader header, GetxattrIn in, Name name, Buffers into) implements XattrRequest {

        public Getxattr {
            header = framed(header, Opcode.GETXATTR, in.sizeInBytes() + name.length() + 1);
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Getxattr(InHeader header, GetxattrIn in, Name name) {
            this(header, in, name, Buffers.EMPTY);
        }

        static Getxattr decode(Incoming in) throws MalformedException {
            GetxattrIn args = GetxattrIn.decode(in.body());
            Name name = in.lastName();
            return new Getxattr(in.header(), args, name, in.room(args.size()));
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
            out.name(name);
        }
    }

    /// LISTXATTR lists the names of extended attributes into `into`, each with its NUL, or tells
    /// the size of the list if `in.size()` is 0.
    record Listxattr(InHeader header, GetxattrIn in, Buffers into) implements XattrRequest {

        public Listxattr {
            header = framed(header, Opcode.LISTXATTR, in.sizeInBytes());
        }

        /// As a guest makes it, which does not decide here where the answer goes.
        public Listxattr(InHeader header, GetxattrIn in) {
            this(header, in, Buffers.EMPTY);
        }

        static Listxattr decode(Incoming in) throws MalformedException {
            GetxattrIn args = GetxattrIn.decode(in.body());
            in.end();
            return new Listxattr(in.header(), args, in.room(args.size()));
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// REMOVEXATTR removes an extended attribute.
    record Removexattr(InHeader header, Name name) implements XattrRequest {

        public Removexattr {
            header = framed(header, Opcode.REMOVEXATTR, name.length() + 1);
        }

        static Removexattr decode(Incoming in) throws MalformedException {
            return new Removexattr(in.header(), in.lastName());
        }

        @Override
        public void encodeArgs(WireWriter out) {
            out.name(name);
        }
    }
}
