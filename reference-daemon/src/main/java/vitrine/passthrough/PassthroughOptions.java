package vitrine.passthrough;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import vitrine.dax.DaxPolicy;
import vitrine.migration.MigrationOptions;
import vitrine.passthrough.held.FileHandleUse;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.passthrough.translation.XattrMap;

/// What the person who starts the daemon decides about the file system.
///
/// It never changes: each `with` answers another one. What is only on or off is a [Feature].
public final class PassthroughOptions implements Cloneable {

    /// What holds unless something else is said.
    public static final PassthroughOptions DEFAULT = new PassthroughOptions();

    private Set<Feature> features =
            EnumSet.of(Feature.KILLPRIV_V2, Feature.READDIRPLUS, Feature.ANNOUNCE_SUBMOUNTS, Feature.IDMAPPED_MOUNTS);
    private CachePolicy cache = CachePolicy.AUTO;
    private Duration timeout = CachePolicy.AUTO.timeout();
    private XattrMap xattrMap = XattrMap.SAME;
    private IdTranslation ids = IdTranslation.NONE;
    private WritePath writePath = WritePath.GATHERED;
    private FileHandleUse fileHandles = FileHandleUse.PREFER;
    private DaxPolicy dax = new DaxPolicy.Never();
    private long descriptors = Long.MAX_VALUE;
    private MigrationOptions migration = MigrationOptions.DEFAULT;

    private PassthroughOptions() {}

    /// Whether this is on.
    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /// How far the guest may trust what it has seen.
    public CachePolicy cache() {
        return cache;
    }

    /// For how long the guest may believe names and attributes; [CachePolicy#timeout] unless set.
    public Duration timeout() {
        return timeout;
    }

    /// What the guest's extended attributes are called on the host.
    public XattrMap xattrMap() {
        return xattrMap;
    }

    /// How the data of a WRITE gets into the host's file.
    public WritePath writePath() {
        return writePath;
    }

    /// What is kept of a file that the guest knows: a descriptor or a file handle.
    public FileHandleUse fileHandles() {
        return fileHandles;
    }

    /// Which files the guest is told to use through the DAX window.
    public DaxPolicy dax() {
        return dax;
    }

    /// What the guest's users and groups are on the host.
    public IdTranslation ids() {
        return ids;
    }

    /// How many descriptors the guest may hold; no limit unless set.
    public long descriptors() {
        return descriptors;
    }

    /// How a guest moves to another daemon.
    public MigrationOptions migration() {
        return migration;
    }

    /// The same with these features on.
    public PassthroughOptions with(Feature... wanted) {
        PassthroughOptions changed = this;
        for (Feature feature : wanted) {
            changed = changed.with(feature, true);
        }
        return changed;
    }

    /// The same with a feature on or off.
    public PassthroughOptions with(Feature feature, boolean on) {
        return changed(options -> {
            options.features = EnumSet.copyOf(features);
            if (on) {
                options.features.add(feature);
            } else {
                options.features.remove(feature);
            }
        });
    }

    /// The same with another cache policy, and the timeout and the READDIRPLUS that go with it.
    public PassthroughOptions withCache(CachePolicy policy) {
        return with(Feature.READDIRPLUS, policy.paysReaddirplus()).changed(options -> {
            options.cache = policy;
            options.timeout = policy.timeout();
        });
    }

    /// The same with another timeout for names and attributes.
    ///
    /// @param limit not negative
    public PassthroughOptions withTimeout(Duration limit) {
        return changed(options -> options.timeout = limit);
    }

    /// The same with extended attributes, by other names on the host.
    public PassthroughOptions withXattrMap(XattrMap map) {
        return with(Feature.XATTR).changed(options -> options.xattrMap = map);
    }

    /// The same with another way for the data of a WRITE.
    public PassthroughOptions withWritePath(WritePath path) {
        return changed(options -> options.writePath = path);
    }

    /// The same with another use of file handles.
    public PassthroughOptions withFileHandles(FileHandleUse use) {
        return changed(options -> options.fileHandles = use);
    }

    /// The same with another choice of files for the DAX window.
    public PassthroughOptions withDax(DaxPolicy policy) {
        return changed(options -> options.dax = policy);
    }

    /// The same with users and groups that are others on the host.
    public PassthroughOptions withIds(IdTranslation translation) {
        return changed(options -> options.ids = translation);
    }

    /// The same with another limit for the guest's descriptors.
    ///
    /// @param most so many fewer than the process may have as it needs itself
    public PassthroughOptions withDescriptors(long most) {
        return changed(options -> options.descriptors = most);
    }

    /// The same with another way to move a guest.
    public PassthroughOptions withMigration(MigrationOptions way) {
        return changed(options -> options.migration = way);
    }

    private PassthroughOptions changed(Consumer<PassthroughOptions> change) {
        try {
            PassthroughOptions copy = (PassthroughOptions) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("is one that can be cloned", e);
        }
    }
}
