package vitrine.fuse;

import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.struct.ExtHeader;
import vitrine.fuse.struct.Secctx;
import vitrine.fuse.struct.SecctxHeader;
import vitrine.fuse.struct.SuppGroups;
import vitrine.wire.Buffers;
import vitrine.wire.MalformedException;
import vitrine.wire.Name;
import vitrine.wire.WireReader;
import vitrine.wire.WireWriter;

/// What a request that creates something may bring along after its last argument
/// (fuse.h: struct fuse_ext_header).
///
/// They begin right after the last name's NUL, at any address; each is padded to 8 bytes.
///
/// @param groups supplementary groups of the process. Linux sends one at most: the group of the
///     parent directory, if the process is a member of it and has another as its own. It decides
///     whether a new file may keep its set-group-ID bit.
/// @param securityContexts labels that the new file is to have from the start
public record Extensions(List<Integer> groups, List<SecurityContext> securityContexts) {

    /// No extensions, the usual case.
    public static final Extensions NONE = new Extensions(List.of(), List.of());

    private static final int HEADER_SIZE = 8;
    private static final int LAST_SECURITY_CONTEXTS = 31; // fuse.h: FUSE_MAX_NR_SECCTX
    private static final int GROUPS = 32; // fuse.h: FUSE_EXT_GROUPS

    /// Keeps lists of its own.
    public Extensions {
        groups = List.copyOf(groups);
        securityContexts = List.copyOf(securityContexts);
    }

    /// Reads extensions up to the end of `in`. Kinds that we do not know are passed over.
    static Extensions decode(WireReader in) throws MalformedException {
        List<Integer> groups = new ArrayList<>();
        List<SecurityContext> contexts = new ArrayList<>();
        while (in.remaining() > 0) {
            ExtHeader header = ExtHeader.decode(in);
            long size = Integer.toUnsignedLong(header.size()) - HEADER_SIZE;
            if (size < 0 || size % 8 != 0) {
                throw new MalformedException("an extension of " + Integer.toUnsignedString(header.size()) + " bytes");
            }
            WireReader content = new WireReader(in.take(size));
            if (header.type() == GROUPS) {
                decodeGroups(content, groups);
            } else if (header.type() >= 0 && header.type() <= LAST_SECURITY_CONTEXTS) {
                decodeContexts(content, header.type(), contexts);
            }
        }
        return new Extensions(groups, contexts);
    }

    private static void decodeGroups(WireReader in, List<Integer> groups) throws MalformedException {
        long count = Integer.toUnsignedLong(SuppGroups.decode(in).nrGroups());
        if (count * 4 > in.remaining()) {
            throw new MalformedException(count + " groups announced in " + in.remaining() + " bytes");
        }
        for (long i = 0; i < count; i++) {
            groups.add(in.u32());
        }
    }

    private static void decodeContexts(WireReader in, int count, List<SecurityContext> contexts)
            throws MalformedException {
        for (int i = 0; i < count; i++) {
            Secctx fixed = Secctx.decode(in);
            Name attribute = in.name();
            Buffers label = in.take(Integer.toUnsignedLong(fixed.size()));
            contexts.add(new SecurityContext(attribute, label));
            in.skip(padding(HEADER_SIZE + attribute.length() + 1 + label.size()));
        }
    }

    /// How many bytes they take on the wire: a multiple of 8.
    int sizeInBytes() {
        return Math.addExact(contextsSize(), groupsSize());
    }

    private int contextsSize() {
        if (securityContexts.isEmpty()) {
            return 0;
        }
        long size = HEADER_SIZE;
        for (SecurityContext context : securityContexts) {
            size += padded(contextSize(context));
        }
        return Math.toIntExact(size);
    }

    private int groupsSize() {
        return groups.isEmpty() ? 0 : (int) padded(HEADER_SIZE + 4 + 4L * groups.size());
    }

    /// Writes them in the order in which Linux does: security contexts, then groups.
    void encode(WireWriter out) {
        if (!securityContexts.isEmpty()) {
            new SecctxHeader(contextsSize(), securityContexts.size()).encode(out);
            securityContexts.forEach(context -> encode(context, out));
        }
        if (!groups.isEmpty()) {
            new ExtHeader(groupsSize(), GROUPS).encode(out);
            new SuppGroups(groups.size()).encode(out);
            groups.forEach(out::u32);
            out.zeros(padding(HEADER_SIZE + 4 + 4L * groups.size()));
        }
    }

    private static void encode(SecurityContext context, WireWriter out) {
        new Secctx((int) context.label().size()).encode(out);
        out.name(context.attribute());
        out.buffers(context.label());
        out.zeros(padding(contextSize(context)));
    }

    private static long contextSize(SecurityContext context) {
        return HEADER_SIZE + context.attribute().length() + 1 + context.label().size();
    }

    private static long padding(long size) {
        return padded(size) - size;
    }

    private static long padded(long size) {
        return size + 7 & ~7;
    }

    @Override
    public String toString() {
        return groups.isEmpty() && securityContexts.isEmpty()
                ? "none"
                : "groups=" + groups + ", securityContexts=" + securityContexts;
    }
}
