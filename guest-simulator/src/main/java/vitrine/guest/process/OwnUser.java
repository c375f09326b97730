package vitrine.guest.process;

import com.sun.security.auth.module.UnixSystem;

/// Whoever runs this process. Without root's rights a daemon can make files for nobody else, so
/// the programs of its guest are theirs, too.
public record OwnUser(int uid, int gid) {

    /// Asks the host.
    public static OwnUser now() {
        UnixSystem user = new UnixSystem();
        return new OwnUser((int) user.getUid(), (int) user.getGid());
    }

    /// Whether files can be made for anybody.
    public boolean isRoot() {
        return uid == 0;
    }
}
