package vitrine.conformance.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.Opcode;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.struct.InHeader;
import vitrine.wire.WireStruct;

/// What we say of the FUSE protocol is what the kernel's own header says, asked through a C
/// compiler.
///
/// Seen to catch: `u32("size")` and `u32("write_flags")` swapped in `WriteIn.LAYOUT`; `padding`
/// left out of `GetxattrIn.LAYOUT`; SETLK and SETLKW swapped in `Opcode`; `FopenFlag.NOFLUSH` at
/// position 4.
class LayoutTest {

    /// Members that came after the header which a distribution may have, with the minor version
    /// that brought them, offset and size: as in the header of protocol 7.45. A whole struct has no
    /// dot.
    private static final String[] NEWER = {
        "fuse_open_out.backing_id 40 12 4",
        "fuse_init_out.max_stack_depth 40 36 4",
        "fuse_init_out.request_timeout 43 40 2",
        "fuse_init_out.unused 43 42 22",
        "fuse_copy_file_range_out 45 0 8",
        "fuse_copy_file_range_out.bytes_copied 45 0 8",
        "fuse_supp_groups 38 0 4",
        "fuse_supp_groups.nr_groups 38 0 4",
        "fuse_sx_time 39 0 16",
        "fuse_sx_time.tv_sec 39 0 8",
        "fuse_sx_time.tv_nsec 39 8 4",
        "fuse_sx_time.__reserved 39 12 4",
        "fuse_statx_in 39 0 24",
        "fuse_statx_in.getattr_flags 39 0 4",
        "fuse_statx_in.reserved 39 4 4",
        "fuse_statx_in.fh 39 8 8",
        "fuse_statx_in.sx_flags 39 16 4",
        "fuse_statx_in.sx_mask 39 20 4",
        "fuse_statx_out 39 0 288",
        "fuse_statx_out.attr_valid 39 0 8",
        "fuse_statx_out.attr_valid_nsec 39 8 4",
        "fuse_statx_out.flags 39 12 4",
        "fuse_statx_out.spare 39 16 16",
        "fuse_statx_out.stat 39 32 256",
        "fuse_statx 39 0 256",
        "fuse_statx.mask 39 0 4",
        "fuse_statx.blksize 39 4 4",
        "fuse_statx.attributes 39 8 8",
        "fuse_statx.nlink 39 16 4",
        "fuse_statx.uid 39 20 4",
        "fuse_statx.gid 39 24 4",
        "fuse_statx.mode 39 28 2",
        "fuse_statx.__spare0 39 30 2",
        "fuse_statx.ino 39 32 8",
        "fuse_statx.size 39 40 8",
        "fuse_statx.blocks 39 48 8",
        "fuse_statx.attributes_mask 39 56 8",
        "fuse_statx.atime 39 64 16",
        "fuse_statx.btime 39 80 16",
        "fuse_statx.ctime 39 96 16",
        "fuse_statx.mtime 39 112 16",
        "fuse_statx.rdev_major 39 128 4",
        "fuse_statx.rdev_minor 39 132 4",
        "fuse_statx.dev_major 39 136 4",
        "fuse_statx.dev_minor 39 140 4",
        "fuse_statx.__spare2 39 144 112",
    };

    private static KernelHeader header;

    @BeforeAll
    static void readHeader() {
        Needs.tool("gcc", "gcc");
        header = KernelHeader.read();
    }

    @Test
    void everyStructIsLaidOutAsTheKernelsHeaderHasIt(@TempDir Path folder) {
        Map<String, String> ours = new TreeMap<>();
        for (Class<? extends WireStruct> struct : Structs.beside(InHeader.class)) {
            describe(Structs.layout(struct), ours);
        }

        Map<String, String> theirs = new TreeMap<>();
        Map<String, String> asked = new TreeMap<>();
        Map<String, String> newer = newerThanHeader();
        for (String place : ours.keySet()) {
            if (newer.containsKey(place)) {
                theirs.put(place, newer.get(place));
            } else {
                asked.put(place, question(place));
            }
        }
        theirs.putAll(header.evaluate(asked, folder));

        System.out.println(
                "fuse.h here is 7." + header.minor() + ": " + asked.size() + " places asked of the compiler, "
                        + (ours.size() - asked.size()) + " are newer and compared with 7.45 as written down here");
        assertEquals(List.of(), differences(ours, theirs));
        assertTrue(ours.size() > 300, "only " + ours.size() + " places found");
    }

    private static void describe(StructLayout struct, Map<String, String> places) {
        String name = struct.name().orElseThrow();
        places.put(name, "0 " + struct.byteSize());
        for (MemoryLayout member : struct.memberLayouts()) {
            String field = member.name().orElseThrow();
            long offset = struct.byteOffset(MemoryLayout.PathElement.groupElement(field));
            places.put(name + "." + field, offset + " " + member.byteSize());
        }
    }

    private static Map<String, String> newerThanHeader() {
        Map<String, String> newer = new TreeMap<>();
        for (String line : NEWER) {
            String[] words = line.split(" ");
            if (header.isOlderThan(Integer.parseInt(words[1]), words[0].split("\\.")[0])) {
                newer.put(words[0], words[2] + " " + words[3]);
            }
        }
        return newer;
    }

    /// C that prints offset and size of `struct` or of `struct.member`.
    private static String question(String place) {
        String[] words = place.split("\\.");
        String struct = "struct " + words[0];
        return words.length == 1
                ? "printf(\"0 %zu\", sizeof(" + struct + "))"
                : "printf(\"%zu %zu\", offsetof(" + struct + ", " + words[1] + "), sizeof(((" + struct + " *) 0)->"
                        + words[1] + "))";
    }

    @Test
    void everyOpcodeAndFlagHasTheKernelsNumber(@TempDir Path folder) {
        Map<String, String> ours = new TreeMap<>();
        Map<String, String> asked = new TreeMap<>();
        for (Opcode opcode : Opcode.values()) {
            ask("FUSE_" + opcode.name(), opcode.since(), opcode.number(), ours, asked);
        }
        for (Flag flag : flags()) {
            ask(flag.cName(), flag.since(), flag.bit(), ours, asked);
        }

        Map<String, String> theirs = header.evaluate(asked, folder);

        assertEquals(List.of(), differences(ours, theirs));
        assertTrue(ours.size() > 110, "only " + ours.size() + " constants found");
    }

    private static void ask(
            String name, String since, long value, Map<String, String> ours, Map<String, String> asked) {
        if (header.isOlderThan(Integer.parseInt(since.substring("7.".length())), name)) {
            System.out.println(
                    name + " is of " + since + ", and fuse.h here of 7." + header.minor() + ": not compared");
            return;
        }
        ours.put(name, Long.toUnsignedString(value));
        // An int is widened without its sign: FUSE_INIT_RESERVED is bit 31.
        asked.put(
                name,
                "printf(\"%llu\", sizeof(" + name + ") == 4 ? (unsigned) " + name + " : (unsigned long long) " + name
                        + ")");
    }

    private static List<String> differences(Map<String, String> ours, Map<String, String> theirs) {
        assertEquals(ours.keySet(), theirs.keySet());
        return ours.keySet().stream()
                .filter(name -> !ours.get(name).equals(theirs.get(name)))
                .map(name -> name + " is " + theirs.get(name) + " for the kernel, " + ours.get(name) + " for us")
                .toList();
    }

    /// A request or a flag that the kernel has and we do not would be found out by a guest only.
    @Test
    void noneOfTheKernelsOpcodesAndFlagsIsMissing() {
        Set<String> ours = new TreeSet<>(Set.of(
                "FUSE_WRITE_KILL_PRIV", // the old name of FUSE_WRITE_KILL_SUIDGID
                "FUSE_INIT_BSWAP_RESERVED", // INIT from a guest of the other byte order
                "FUSE_MAX_NR_SECCTX")); // no opcode, but the last of the extensions that are security contexts
        Stream.of(Opcode.values()).forEach(opcode -> ours.add("FUSE_" + opcode.name()));
        flags().forEach(flag -> ours.add(flag.cName()));

        Set<String> missing = header.names(
                "^\\s*(FUSE_\\w+)\\s*=\\s*\\d+,",
                "^#define\\s+((?:FATTR|FOPEN|FUSE_WRITE|FUSE_READ|FUSE_OPEN|FUSE_RELEASE|FUSE_LK|FUSE_GETATTR"
                        + "|FUSE_FSYNC|FUSE_SETXATTR|FUSE_ATTR|FUSE_POLL)_\\w+)\\s+\\(1");
        missing.removeAll(ours);
        missing.removeIf(name -> name.startsWith("FUSE_NOTIFY_") || name.startsWith("FUSE_EXT_"));

        assertEquals(Set.of(), missing);
    }

    private static List<Flag> flags() {
        List<Flag> flags = new ArrayList<>();
        for (Class<?> candidate : Structs.classesBeside(Flag.class)) {
            if (candidate.isEnum() && Flag.class.isAssignableFrom(candidate)) {
                for (Object constant : candidate.getEnumConstants()) {
                    flags.add((Flag) constant);
                }
            }
        }
        return flags;
    }
}
