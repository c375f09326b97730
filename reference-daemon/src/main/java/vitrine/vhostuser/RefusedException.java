package vitrine.vhostuser;

/// A message was understood but cannot be obeyed. The front end gets a non-zero acknowledgement if
/// it asked for one; the connection goes on (vhost-user: `VHOST_USER_PROTOCOL_F_REPLY_ACK`).
final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
        super(why, null, false, false);
    }

    /// Tells whoever runs the daemon. The logger is looked up here, where it is rare, and not when
    /// the daemon starts, where it would cost time.
    ///
    /// @param what what came of it
    void log(String what) {
        System.getLogger("vitrine.vhostuser").log(System.Logger.Level.WARNING, "{0}: {1}", what, getMessage());
    }
}
