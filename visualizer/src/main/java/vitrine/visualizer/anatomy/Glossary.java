package vitrine.visualizer.anatomy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import vitrine.fuse.Opcode;

/// The words of the specifications that a reader of the pictures meets, each with a sentence.
public final class Glossary {

    /// One line a term: the term, the place where it is specified, and the sentence, between bars.
    private static final String TABLE = """
            available ring | virtio 1.3, 2.7.6 | where the driver says which chains the device may take
            used ring | virtio 1.3, 2.7.8 | where the device says which chains it has done with, and how much it wrote
            descriptor | virtio 1.3, 2.7.5 | sixteen bytes that name a piece of guest memory, and what comes after it
            chain | virtio 1.3, 2.7.4 | the descriptors of one request: first what the device reads, then what it writes
            indirect table | virtio 1.3, 2.7.5.3 | a chain that lies elsewhere and takes one entry of the ring
            avail_event | virtio 1.3, 2.7.10 | the entry after which the device wants a kick
            used_event | virtio 1.3, 2.7.7 | the entry after which the driver wants a call
            packed ring | virtio 1.3, 2.8 | one ring for both ways, in which two bits say whose an entry is
            wrap counter | virtio 1.3, 2.8.1 | a bit that changes with each lap, so that new is told from old
            event suppression | virtio 1.3, 2.8.10 | how a side of a packed ring says when it wants to be woken
            kick | virtio 1.3, 2.9.3 | the driver tells the device that there is work
            call | virtio 1.3, 2.9 | the device tells the driver that replies are there
            request queue | virtio 1.3, 5.11.2 | a virtqueue for requests that are served in any order
            high-priority queue | virtio 1.3, 5.11.2 | the virtqueue for FORGET and INTERRUPT
            DAX window | virtio 1.3, 5.11.6.1 | memory of the device in which files of the host lie
            vhost-user | vhost-user: "Introduction" | how QEMU hands the virtqueues of a guest to another process
            nodeid | fuse.h: fuse_in_header.nodeid | the guest's number for a file, until it forgets it
            unique | fuse.h: fuse_in_header.unique | the number of a request, which the reply repeats
            attr_valid | fuse.h: fuse_attr_out | for how long the guest may believe attributes
            S_NOSEC | Linux: include/linux/fs.h | the guest's own note that a file has no privileges to lose
            """;

    /// The terms, in the order in which a reader meets them.
    public static final Map<String, Meaning> TERMS = terms();

    private Glossary() {}

    /// What each request is for, by the name of its opcode.
    public static Map<String, String> opcodes() {
        Map<String, String> opcodes = new LinkedHashMap<>();
        for (Opcode opcode : Opcode.values()) {
            opcodes.put(opcode.name(), opcode.sentence());
        }
        return opcodes;
    }

    private static Map<String, Meaning> terms() {
        Map<String, Meaning> terms = new LinkedHashMap<>();
        TABLE.lines()
                .map(line -> line.split(" \\| "))
                .forEach(parts -> terms.put(parts[0], new Meaning(parts[2], parts[1])));
        return Collections.unmodifiableMap(terms);
    }
}
