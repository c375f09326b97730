package vitrine.conformance.vhostuser;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import vitrine.memory.GuestMemory.Region;
import vitrine.posix.Fd;
import vitrine.vhostuser.Features;
import vitrine.vhostuser.message.ConfigMessage;
import vitrine.vhostuser.message.FrontendMessage;
import vitrine.vhostuser.message.MemoryMessage;
import vitrine.vhostuser.message.MigrationMessage;
import vitrine.vhostuser.message.MigrationPayload;
import vitrine.vhostuser.message.NegotiationMessage;
import vitrine.vhostuser.message.Payload;
import vitrine.vhostuser.message.RingMessage;
import vitrine.wire.Buffers;

/// Messages of every kind.
final class Messages {

    /// Size of the memory that region messages speak of.
    static final long RAM = 1 << 16;

    private Messages() {}

    /// What a front end could mean, each message once, for a device of two queues.
    static List<FrontendMessage> reasonable(BackendLink link) {
        Region region = new Region(0, RAM, 0x7000_0000_0000L, 0);
        Fd memory = link.memory(RAM);
        return List.of(
                new NegotiationMessage.GetFeatures(),
                new NegotiationMessage.SetFeatures(Features.PROTOCOL_FEATURES | Features.VERSION_1),
                new NegotiationMessage.SetOwner(),
                new NegotiationMessage.ResetOwner(),
                new MemoryMessage.SetMemTable(List.of(region), List.of(memory)),
                new MigrationMessage.SetLogBase(new MigrationPayload.Log(8, 0), memory),
                new MigrationMessage.SetLogFd(link.eventFd()),
                new RingMessage.SetVringNum(0, 16),
                new RingMessage.SetVringAddr(addresses(0, region.userAddress())),
                new RingMessage.SetVringBase(0, 0),
                new RingMessage.GetVringBase(0, 0),
                new RingMessage.SetVringKick(new RingMessage.RingFd(0, Optional.of(link.eventFd()))),
                new RingMessage.SetVringCall(new RingMessage.RingFd(0, Optional.of(link.eventFd()))),
                new RingMessage.SetVringErr(new RingMessage.RingFd(0, Optional.of(link.eventFd()))),
                new NegotiationMessage.GetProtocolFeatures(),
                new NegotiationMessage.SetProtocolFeatures(Features.REPLY_ACK | Features.BACKEND_REQ),
                new NegotiationMessage.GetQueueNum(),
                new RingMessage.SetVringEnable(0, 0),
                new NegotiationMessage.SetBackendReqFd(link.eventFd()),
                new ConfigMessage.GetConfig(new Payload.Config(0, 0, Buffers.ofBytes(new byte[4]))),
                new ConfigMessage.SetConfig(new Payload.Config(0, 0, Buffers.ofBytes(new byte[4]))),
                new NegotiationMessage.ResetDevice(),
                new NegotiationMessage.GetShmemConfig(),
                new MigrationMessage.SetDeviceStateFd(new MigrationPayload.Transfer(0, 0), link.eventFd()),
                new MigrationMessage.CheckDeviceState(),
                new MemoryMessage.GetMaxMemSlots(),
                new MemoryMessage.AddMemReg(new Region(RAM, RAM, 0x7100_0000_0000L, 0), memory),
                new MemoryMessage.RemMemReg(new Region(RAM, RAM, 0x7100_0000_0000L, 0)));
    }

    /// A ring of 16 entries at the start of some memory.
    static Payload.RingAddresses addresses(int index, long userAddress) {
        return new Payload.RingAddresses(index, 0, userAddress, userAddress + 0x2000, userAddress + 0x1000, 0);
    }

    /// Messages as values, with any numbers in them. The descriptors are only numbers.
    static Arbitrary<FrontendMessage> any() {
        Arbitrary<Integer> u32 = Arbitraries.integers();
        Arbitrary<Long> u64 = Arbitraries.longs();
        Arbitrary<Region> regions = Combinators.combine(u64, u64, u64, u64).as(Region::new);
        Arbitrary<Fd> fds = Arbitraries.integers().between(1000, 2000).map(Fd::of);
        Arbitrary<RingMessage.RingFd> ringFds = Combinators.combine(
                        Arbitraries.integers().between(0, 255), fds.optional())
                .as(RingMessage.RingFd::new);
        Arbitrary<Payload.Config> parts = Combinators.combine(
                        u32, u32, Arbitraries.bytes().array(byte[].class).ofMaxSize(Payload.Config.LARGEST))
                .as((offset, flags, bytes) -> new Payload.Config(offset, flags, Buffers.ofBytes(bytes)));
        return Arbitraries.oneOf(List.of(
                u64.map(NegotiationMessage.SetFeatures::new),
                u64.map(NegotiationMessage.SetProtocolFeatures::new),
                fds.map(NegotiationMessage.SetBackendReqFd::new),
                parts.map(ConfigMessage.GetConfig::new),
                parts.map(ConfigMessage.SetConfig::new),
                regions.list()
                        .ofMaxSize(8)
                        .map(list -> new MemoryMessage.SetMemTable(
                                list, list.stream().map(_ -> Fd.of(1000)).toList())),
                Combinators.combine(regions, fds).as(MemoryMessage.AddMemReg::new),
                regions.map(MemoryMessage.RemMemReg::new),
                anyMigration(fds),
                Combinators.combine(u32, u32).as(RingMessage.SetVringNum::new),
                Combinators.combine(u32, u32).as(RingMessage.SetVringBase::new),
                Combinators.combine(u32, u32).as(RingMessage.GetVringBase::new),
                Combinators.combine(u32, u32).as(RingMessage.SetVringEnable::new),
                Combinators.combine(u32, u32, u64, u64, u64, u64)
                        .as(Payload.RingAddresses::new)
                        .map(RingMessage.SetVringAddr::new),
                ringFds.map(RingMessage.SetVringKick::new),
                ringFds.map(RingMessage.SetVringCall::new),
                ringFds.map(RingMessage.SetVringErr::new)));
    }

    private static Arbitrary<MigrationMessage> anyMigration(Arbitrary<Fd> fds) {
        Arbitrary<Integer> u32 = Arbitraries.integers();
        Arbitrary<Long> u64 = Arbitraries.longs();
        return Arbitraries.oneOf(
                Combinators.combine(u64, u64, fds)
                        .as((size, offset, fd) ->
                                new MigrationMessage.SetLogBase(new MigrationPayload.Log(size, offset), fd)),
                fds.map(MigrationMessage.SetLogFd::new),
                Combinators.combine(u32, u32, fds)
                        .as((direction, phase, fd) -> new MigrationMessage.SetDeviceStateFd(
                                new MigrationPayload.Transfer(direction, phase), fd)));
    }
}
