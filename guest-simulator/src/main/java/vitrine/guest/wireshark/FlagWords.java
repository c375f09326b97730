package vitrine.guest.wireshark;

import java.util.Map;
import vitrine.fuse.flag.AttrFlag;
import vitrine.fuse.flag.Flag;
import vitrine.fuse.flag.FopenFlag;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.flag.GetattrFlag;
import vitrine.fuse.flag.InitFlag;
import vitrine.fuse.flag.IoctlFlag;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.flag.MappingFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.flag.PollFlag;
import vitrine.fuse.flag.ReadFlag;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.SetxattrFlag;
import vitrine.fuse.flag.WriteFlag;

/// Which word of which struct holds which flags.
final class FlagWords {

    private static final Map<String, Flag[]> FLAGS = Map.ofEntries(
            Map.entry("fuse_attr.flags", AttrFlag.values()),
            Map.entry("fuse_create_in.open_flags", OpenFlag.values()),
            Map.entry("fuse_fsync_in.fsync_flags", FsyncFlag.values()),
            Map.entry("fuse_getattr_in.getattr_flags", GetattrFlag.values()),
            Map.entry("fuse_init_in.flags", InitFlag.values()),
            Map.entry("fuse_init_in.flags2", InitFlag.values()),
            Map.entry("fuse_init_out.flags", InitFlag.values()),
            Map.entry("fuse_init_out.flags2", InitFlag.values()),
            Map.entry("fuse_ioctl_in.flags", IoctlFlag.values()),
            Map.entry("fuse_ioctl_out.flags", IoctlFlag.values()),
            Map.entry("fuse_lk_in.lk_flags", LockFlag.values()),
            Map.entry("fuse_open_in.open_flags", OpenFlag.values()),
            Map.entry("fuse_open_out.open_flags", FopenFlag.values()),
            Map.entry("fuse_poll_in.flags", PollFlag.values()),
            Map.entry("fuse_read_in.read_flags", ReadFlag.values()),
            Map.entry("fuse_release_in.release_flags", ReleaseFlag.values()),
            Map.entry("fuse_setattr_in.valid", SetattrFlag.values()),
            Map.entry("fuse_setupmapping_in.flags", MappingFlag.values()),
            Map.entry("fuse_setxattr_in.setxattr_flags", SetxattrFlag.values()),
            Map.entry("fuse_statx_in.getattr_flags", GetattrFlag.values()),
            Map.entry("fuse_statx_out.flags", AttrFlag.values()),
            Map.entry("fuse_write_in.write_flags", WriteFlag.values()));

    private FlagWords() {}

    /// The flags of a word as name and bit, empty if it has none.
    static LuaTable of(String struct, String field) {
        LuaTable flags = new LuaTable();
        // INIT's 64 bits lie in two words.
        int shift = field.equals("flags2") ? Integer.SIZE : 0;
        for (Flag flag : FLAGS.getOrDefault(struct + "." + field, new Flag[0])) {
            long bit = flag.bit() >>> shift;
            if (bit != 0 && bit <= 0x8000_0000L) {
                flags.add(new LuaTable().put("name", flag.name()).put("bit", bit));
            }
        }
        return flags;
    }
}
