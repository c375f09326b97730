package vitrine.daemon;

/// Whether something is to be agreed on with the guest.
enum Demand {
    /// It is not, whatever the guest offers.
    NEVER,
    /// It is, if the guest offers it.
    AUTO,
    /// It is, or there is no session.
    ALWAYS
}
