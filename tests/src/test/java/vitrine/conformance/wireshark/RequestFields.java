package vitrine.conformance.wireshark;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.struct.BatchForgetIn;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.RemoveMappingIn;
import vitrine.wire.Buffers;
import vitrine.wire.Name;
import vitrine.wire.WireStruct;
import vitrine.wire.WireWriter;

/// A request as the list of its fields, each `FILTER=BYTES`: told from the request's record, with
/// no look at the dissector's tables.
final class RequestFields {

    private final List<String> fields = new ArrayList<>();

    private RequestFields() {}

    static List<String> of(FuseRequest request) throws ReflectiveOperationException {
        RequestFields out = new RequestFields();
        if (request instanceof InodeRequest.BatchForget(var header, var forgets)) {
            out.struct(header);
            out.struct(new BatchForgetIn(forgets.size()));
            forgets.forEach(out::struct);
        } else if (request instanceof DaxRequest.RemoveMapping(var header, var ranges)) {
            out.struct(header);
            out.struct(new RemoveMappingIn(ranges.size()));
            ranges.forEach(out::struct);
        } else {
            for (RecordComponent component : request.getClass().getRecordComponents()) {
                out.add(component.getName(), component.getAccessor().invoke(request));
            }
        }
        return out.fields;
    }

    private void add(String name, Object value) {
        switch (value) {
            case WireStruct struct -> struct(struct);
            case Name text -> fields.add("fuse." + cName(name) + "=" + hex(text.bytes()) + "00");
            case Buffers bytes
            when name.equals("value") || name.equals("input") ->
                fields.add("fuse." + name + "=" + hex(bytes.toBytes()));
            default -> {} // file data is not captured, nor where a reply goes
        }
    }

    private void struct(WireStruct struct) {
        byte[] bytes = new byte[struct.sizeInBytes()];
        struct.encode(new WireWriter(Buffers.ofBytes(bytes)));
        String name = struct instanceof InHeader
                ? "fuse"
                : "fuse." + struct.layout().name().orElseThrow().substring(5);
        members(name, struct.layout(), bytes, 0);
    }

    private void members(String filter, StructLayout layout, byte[] bytes, int from) {
        int at = from;
        for (MemoryLayout member : layout.memberLayouts()) {
            String name = member.name().orElseThrow();
            int size = (int) member.byteSize();
            if (at == bytes.length) {
                return; // an older form of the struct, with fewer members
            }
            if (member instanceof StructLayout lock) { // the only struct within a struct of a request
                members("fuse.file_lock", lock, bytes, at);
            } else if (!(member instanceof SequenceLayout)
                    && !name.matches("_*(padding|unused|spare|dummy|reserved).*")) {
                fields.add(filter + "." + name + "=" + HexFormat.of().formatHex(bytes, at, at + size));
            }
            at += size;
        }
    }

    private static String cName(String javaName) {
        return javaName.replaceAll("([A-Z])", "_$1").toLowerCase();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
