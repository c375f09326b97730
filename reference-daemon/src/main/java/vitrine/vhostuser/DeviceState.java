package vitrine.vhostuser;

import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;

/// What a device remembers of its driver, on its way to another back end or from one
/// (vhost-user: "Migrating back-end state").
///
/// Nobody waits for a pipe: [#save] and [#load] only begin. No ring is served meanwhile.
public interface DeviceState {

    /// Begins to write it.
    ///
    /// @param pipe taken over, and closed at the end
    /// @throws ErrnoException if this cannot even begin; then the pipe is closed
    void save(Fd pipe) throws ErrnoException;

    /// Begins to read what another back end has written, up to the pipe's end.
    ///
    /// @param pipe taken over, and closed at the end
    /// @throws ErrnoException if this cannot even begin; then the pipe is closed
    void load(Fd pipe) throws ErrnoException;

    /// Waits for the end of what was begun last, as long as it makes progress.
    ///
    /// @return whether all went well; true if nothing was begun. If not, the log says why, and a
    ///     device that has loaded is as new
    boolean isMoved();

    /// Gives up what was begun and has not ended.
    void cancel();
}
