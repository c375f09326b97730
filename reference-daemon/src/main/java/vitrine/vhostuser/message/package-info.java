/// The messages of vhost-user as data, the same values at both ends.
///
/// ```
///   bytes + fds ──► FrameStream ──► Frame ──► FrontendMessage      one record for each message
///                                 header,     BackendMessage       the same, the other way
///                                 payload       │
///                                               └─ Payload         the forms that they share,
///                                                                  and that answers have too
/// ```
///
/// A message that has too few or too many bytes or file descriptors is none, and every file
/// descriptor that came with it is closed: whoever may send messages must not be able to use up
/// the descriptors of the receiver.
///
/// Not here: what a message does ([vitrine.vhostuser.Backend]), in which order messages are sent
/// (the front end's business).
package vitrine.vhostuser.message;
