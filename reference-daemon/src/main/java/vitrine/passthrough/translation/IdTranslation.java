package vitrine.passthrough.translation;

/// What the guest's users and groups are on the host.
///
/// @param users their user ids
/// @param groups their group ids
public record IdTranslation(IdMap users, IdMap groups) {

    /// All are the same on both sides.
    public static final IdTranslation NONE = new IdTranslation(IdMap.SAME, IdMap.SAME);

    /// Whether all are the same on both sides.
    public boolean isSame() {
        return users.isSame() && groups.isSame();
    }
}
