package vitrine.visualizer.anatomy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a field is for, in a sentence, and where it is specified.
///
/// @param sentence for people
/// @param reference the place in a header or in a specification
public record Meaning(String sentence, String reference) {

    /// One line a field: its name, then the sentence. Fields that mean the same everywhere have no
    /// struct before their name.
    private static final String TABLE = """
            fuse_in_header.len the whole request: this header, arguments, and data
            fuse_in_header.opcode which request this is
            fuse_in_header.unique the request's own number; the reply repeats it
            fuse_in_header.nodeid the file or directory it is about; 1 is the root, 0 is none
            fuse_in_header.uid who asks; 0 also where the kernel acts on its own
            fuse_in_header.gid the group of who asks
            fuse_in_header.pid the process that asks; 0 where the kernel acts on its own
            fuse_in_header.total_extlen how much of the request is extensions, in units of 8 bytes
            fuse_init_in.major the protocol that the guest speaks
            fuse_init_in.minor its newest version that the guest knows
            fuse_init_in.max_readahead how far the guest would like to read ahead
            fuse_init_in.flags what the guest offers, a bit each
            fuse_init_in.flags2 what it offers beyond the first 32 bits
            fuse_init_out.flags what was agreed on, a bit each
            fuse_init_out.flags2 what was agreed on beyond the first 32 bits
            fuse_init_out.max_write the most data in one WRITE
            fuse_init_out.max_pages the most pages in one request
            fuse_init_out.map_alignment how DAX mappings are aligned, as a power of two
            fuse_init_out.time_gran the finest step of a file's times, in nanoseconds
            fuse_write_in.write_flags how it came about: from the page cache, with an order to kill set-ID bits
            fuse_write_in.size how many bytes of data follow
            fuse_write_in.flags the open(2) flags of the program's descriptor
            fuse_write_out.size how many bytes were written
            fuse_read_in.size how many bytes the guest would like
            fuse_getxattr_in.size the room for the value; 0 asks how long it is
            fuse_getxattr_out.size how long the value is
            fuse_setattr_in.valid which of the fields below count, a bit each
            fuse_entry_out.nodeid the guest's name for the file from now on; 0 says there is none
            fuse_entry_out.generation tells two files apart that had the same nodeid one after the other
            fuse_setupmapping_in.foffset where in the file the piece begins
            fuse_setupmapping_in.moffset where in the window it is to lie
            fuse_setupmapping_in.len how long the piece is
            fuse_setupmapping_in.flags whether the guest may read and write it
            entry_valid for how many seconds the guest may believe the name
            attr_valid for how many seconds the guest may believe the attributes
            entry_valid_nsec and nanoseconds
            attr_valid_nsec and nanoseconds
            fh the open file, as OPEN or CREATE called it
            offset where in the file, in bytes
            lock_owner whose locks are meant
            open_flags what the guest may do with the open file: cache it, pass by the cache
            ino the number of the inode, as stat(2) shows it
            size in bytes
            blocks what it takes on the disk, in 512 bytes
            mode type and permissions
            nlink how many names it has
            uid whose it is
            gid the group it belongs to
            rdev which device it is, if it is one
            blksize the size of reads and writes that suits it
            atime when it was last read
            mtime when its data last changed
            ctime when anything of it last changed
            umask what the program's umask takes from the mode
            padding nothing; keeps what follows aligned
            name a name in the directory, up to a zero byte
            data file data or a value, as it lies in the guest's pages
            """;

    private static final Map<String, String> SENTENCES = new HashMap<>();

    static {
        TABLE.lines().forEach(line -> {
            int blank = line.indexOf(' ');
            SENTENCES.put(line.substring(0, blank), line.substring(blank + 1));
        });
    }

    /// All fields that have a sentence, in the order of the table; those that mean the same in
    /// every struct by their own name.
    public static Map<String, Meaning> all() {
        Map<String, Meaning> all = new LinkedHashMap<>();
        TABLE.lines()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .forEach(name -> all.put(name, new Meaning(SENTENCES.get(name), "fuse.h: " + name)));
        return all;
    }

    /// What a member of a message is for.
    public static Meaning of(Member member) {
        String plain = member.field().substring(member.field().lastIndexOf('.') + 1);
        String sentence = SENTENCES.getOrDefault(
                member.struct() + "." + member.field(),
                SENTENCES.getOrDefault(plain, plain.endsWith("name") ? SENTENCES.get("name") : ""));
        String reference = member.struct().isEmpty()
                ? "virtio 1.3, 5.11.6: after the structs"
                : "fuse.h: " + member.struct() + "." + member.field();
        return new Meaning(sentence, reference);
    }
}
