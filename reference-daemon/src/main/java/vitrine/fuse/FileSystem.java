package vitrine.fuse;

import vitrine.posix.ErrnoException;

/// A file system: one request in, one reply out.
///
/// There is no method per request on purpose. A file system is a `switch` over [FuseRequest], which
/// the compiler checks to be complete, and a first one of your own can be four cases and a
/// `default`.
@FunctionalInterface
public interface FileSystem {

    /// Answers a request; several threads may ask at the same time.
    ///
    /// @return [Reply#NONE] exactly for what is not answered, see [Opcode#isAnswered];
    ///     [Reply.NotYet] instead of waiting for another request
    /// @throws ErrnoException if the guest is to be told this errno
    Reply answer(FuseRequest request) throws ErrnoException;
}
