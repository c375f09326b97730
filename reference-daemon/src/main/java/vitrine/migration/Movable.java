package vitrine.migration;

import java.io.IOException;
import vitrine.wire.MalformedException;

/// A file system whose guest can move to another daemon. Nobody asks it for anything meanwhile.
public interface Movable {

    /// Says all that the guest holds.
    ///
    /// @throws CannotMoveException if the guest holds what cannot be moved
    /// @throws IOException if it does not get through
    void save(StateWriter to) throws CannotMoveException, IOException;

    /// Takes over what another daemon has said, instead of all that there was. If this fails,
    /// nothing is held.
    ///
    /// @return what was agreed on with the guest; null if there is no session
    /// @throws CannotMoveException if it cannot be had here
    /// @throws MalformedException if that is no state
    /// @throws IOException if it does not get through
    StateRecord.Session load(StateReader from) throws CannotMoveException, MalformedException, IOException;
}
