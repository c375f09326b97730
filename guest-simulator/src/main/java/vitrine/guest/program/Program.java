package vitrine.guest.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A small program, and what its kernel sends for it.
///
/// @param name unique, such as `stat-twice`
/// @param claim what is to be seen in it, in a sentence
/// @param rule what decides that, in a few more
/// @param server what the server agrees to, see [Server]
/// @param given the files that are there before
/// @param needs which clients can perform it
/// @param steps the first may be [Step#MOUNT], the last [Step#UMOUNT]
public record Program(
        String name,
        String claim,
        String rule,
        Server server,
        List<GivenFile> given,
        Condition needs,
        List<Step> steps) {

    /// Copies the lists.
    public Program {
        given = List.copyOf(given);
        steps = List.copyOf(steps);
    }

    /// Its name, without that of the server that it meets.
    String subject() {
        return name.split("\\.")[0];
    }

    /// The name of the server that it meets; empty if there is only one.
    String serverName() {
        return name.substring(Math.min(name.length(), subject().length() + 1));
    }

    /// Whether a client can perform it at all. One with a DAX window has programs of its own.
    public boolean isFor(Client client) {
        return server.hasWindow() == client.dax() && needs.holdsFor(client);
    }

    /// Makes the directory that is shared, and in it the files that are given; takes root.
    ///
    /// @param parent where, on the host
    Path setUp(Path parent) throws IOException {
        Path share = Files.createDirectory(parent.resolve(name));
        Files.setAttribute(share, "unix:mode", 0755);
        for (GivenFile file : given) {
            file.make(share);
        }
        return share;
    }

    /// What of that does not go with the directory.
    ///
    /// @param parent as above
    void clear(Path parent) throws IOException {
        for (GivenFile file : given.reversed()) {
            file.remove(parent.resolve(name));
        }
    }

    /// The calls in it, in order.
    List<String> calls() {
        return steps.stream().filter(Step::isCall).map(Step::call).toList();
    }
}
