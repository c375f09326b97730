package vitrine.fuse;

import static vitrine.fuse.Framing.framed;

import java.util.ArrayList;
import java.util.List;
import vitrine.fuse.struct.InHeader;
import vitrine.fuse.struct.RemoveMappingIn;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.SetupMappingIn;
import vitrine.wire.MalformedException;
import vitrine.wire.WireWriter;

/// Requests about the DAX window: memory that the guest shares with the host's page cache.
public sealed interface DaxRequest extends FuseRequest {

    /// SETUPMAPPING makes a part of a file appear in the DAX window, in place of what is there.
    record SetupMapping(InHeader header, SetupMappingIn in) implements DaxRequest {

        public SetupMapping {
            header = framed(header, Opcode.SETUPMAPPING, in.sizeInBytes());
        }

        static SetupMapping decode(Incoming in) throws MalformedException {
            SetupMappingIn args = SetupMappingIn.decode(in.body());
            in.end();
            return new SetupMapping(in.header(), args);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            in.encode(out);
        }
    }

    /// REMOVEMAPPING makes parts of the DAX window empty again.
    record RemoveMapping(InHeader header, List<RemoveMappingOne> ranges) implements DaxRequest {

        public RemoveMapping {
            ranges = List.copyOf(ranges);
            header = framed(header, Opcode.REMOVEMAPPING, 4 + 16L * ranges.size());
        }

        static RemoveMapping decode(Incoming in) throws MalformedException {
            int count =
                    in.elements(RemoveMappingIn.decode(in.body()).count(), (int) RemoveMappingOne.LAYOUT.byteSize());
            List<RemoveMappingOne> ranges = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                ranges.add(RemoveMappingOne.decode(in.body()));
            }
            return new RemoveMapping(in.header(), ranges);
        }

        @Override
        public void encodeArgs(WireWriter out) {
            new RemoveMappingIn(ranges.size()).encode(out);
            ranges.forEach(one -> one.encode(out));
        }
    }
}
