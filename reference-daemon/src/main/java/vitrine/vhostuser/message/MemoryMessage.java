package vitrine.vhostuser.message;

import java.util.List;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.Fd;
import vitrine.wire.MalformedException;

/// Messages about the guest's memory, which the back end maps from file descriptors.
public sealed interface MemoryMessage extends FrontendMessage {

    /// Replaces all of the memory.
    ///
    /// @param regions at most [FrameStream#MAX_FDS]
    /// @param fds what to map for each region, in the same order
    record SetMemTable(List<Region> regions, List<Fd> fds) implements MemoryMessage {
        static SetMemTable decode(MessageReader in) throws MalformedException {
            List<Region> regions = Payload.RegionTable.decode(in.bytes()).regions();
            return new SetMemTable(regions, in.fds(regions.size()));
        }

        @Override
        public FrontendRequest request() {
            return FrontendRequest.SET_MEM_TABLE;
        }

        @Override
        public Payload payload() {
            return new Payload.RegionTable(regions);
        }
    }

    /// Asks how many regions there can be. Answered with a number.
    record GetMaxMemSlots() implements MemoryMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.GET_MAX_MEM_SLOTS;
        }
    }

    /// Adds a region.
    ///
    /// @param region where it lies
    /// @param fd what to map
    record AddMemReg(Region region, Fd fd) implements MemoryMessage {
        @Override
        public FrontendRequest request() {
            return FrontendRequest.ADD_MEM_REG;
        }

        @Override
        public Payload payload() {
            return new Payload.OneRegion(region);
        }

        @Override
        public List<Fd> fds() {
            return List.of(fd);
        }
    }

    /// Takes a region away. It is known by its guest address, user address and size. Old front
    /// ends send its file descriptor once more; that is closed unseen.
    record RemMemReg(Region region) implements MemoryMessage {
        static RemMemReg decode(MessageReader in) throws MalformedException {
            Region region = Payload.OneRegion.decode(in.bytes()).region();
            in.dropOneFd();
            return new RemMemReg(region);
        }

        @Override
        public FrontendRequest request() {
            return FrontendRequest.REM_MEM_REG;
        }

        @Override
        public Payload payload() {
            return new Payload.OneRegion(region);
        }
    }
}
