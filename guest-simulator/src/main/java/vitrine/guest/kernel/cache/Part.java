package vitrine.guest.kernel.cache;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// A part of a file's attributes that can be out of date by itself (`inval_mask` in Linux).
public enum Part {
    /// Type and permissions.
    MODE,
    /// User and group.
    OWNER,
    /// How many names it has.
    LINKS,
    /// Where it ends.
    SIZE,
    /// How much space it takes.
    BLOCKS,
    /// The last read.
    ACCESS_TIME,
    /// The last write.
    MODIFY_TIME,
    /// The last change of whatever kind.
    CHANGE_TIME;

    /// All of them: what stat(2) shows.
    public static final Set<Part> ALL = Collections.unmodifiableSet(EnumSet.allOf(Part.class));

    /// What decides about permissions.
    public static final Set<Part> PERMISSION = Set.of(MODE, OWNER);

    /// What a write changes. The mode is not among them, though the server may have cleared
    /// set-ID bits.
    public static final Set<Part> WRITTEN = Set.of(SIZE, BLOCKS, MODIFY_TIME, CHANGE_TIME);
}
