package vitrine.fuse.struct;

import static vitrine.wire.Layouts.struct;
import static vitrine.wire.Layouts.u16;
import static vitrine.wire.Layouts.u32;
import static vitrine.wire.Layouts.u64;

import java.lang.foreign.StructLayout;
import vitrine.wire.MalformedException;
import vitrine.wire.WireReader;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// `struct fuse_in_header`: how every request begins.
///
/// The guest's kernel writes it; the identity in it is that of the process that made the system
/// call. It carries one group only: supplementary groups come as
/// [extensions][vitrine.fuse.Extensions], and only with requests that create something.
public record InHeader(int len, int opcode, long unique, long nodeid, int uid, int gid, int pid, int totalExtlen)
        implements WireStruct {

    /// Where its fields lie in `struct fuse_in_header`.
    public static final StructLayout LAYOUT = struct(
            "fuse_in_header",
            u32("len"), // the whole readable side: this header, arguments, extensions and data
            u32("opcode"),
            u64("unique"), // the reply repeats it; FORGET has one too, although nothing answers it
            u64("nodeid"), // 1 is the root; INIT and DESTROY have 0
            u32("uid"), // 0 for what the kernel does on its own, such as write-back and RELEASE
            u32("gid"),
            u32("pid"), // 0 for what the kernel does on its own
            u16("total_extlen"), // length of the extensions, in units of 8 bytes; since 7.38
            u16("padding"));

    /// Reads it, each field once.
    public static InHeader decode(WireReader in) throws MalformedException {
        InHeader value = new InHeader(in.u32(), in.u32(), in.u64(), in.u64(), in.u32(), in.u32(), in.u32(), in.u16());
        in.skip(2); // padding
        return value;
    }

    @Override
    public void encode(WireWriter out) {
        out.u32(len);
        out.u32(opcode);
        out.u64(unique);
        out.u64(nodeid);
        out.u32(uid);
        out.u32(gid);
        out.u32(pid);
        out.u16(totalExtlen);
        out.zeros(2);
    }

    @Override
    public StructLayout layout() {
        return LAYOUT;
    }

    /// A header for a guest to build a request with: the request itself fills in the length, the
    /// opcode and the length of the extensions.
    public static InHeader of(long unique, long nodeid, int uid, int gid, int pid) {
        return new InHeader(0, 0, unique, nodeid, uid, gid, pid, 0);
    }

    /// The same header, saying that it begins a request of this opcode with `bodySize` bytes after
    /// the header, `extensionsSize` of them extensions.
    public InHeader framing(int opcode, long bodySize, int extensionsSize) {
        int len = (int) (LAYOUT.byteSize() + bodySize);
        int extlen = extensionsSize / 8;
        if (this.len == len && this.opcode == opcode && totalExtlen == extlen) {
            return this;
        }
        return new InHeader(len, opcode, unique, nodeid, uid, gid, pid, extlen);
    }

    /// The same header for another request: every request has its own `unique`.
    public InHeader withUnique(long unique) {
        return new InHeader(len, opcode, unique, nodeid, uid, gid, pid, totalExtlen);
    }
}
