package vitrine.guest.kernel.linux;

import vitrine.guest.kernel.DaxPath;
import vitrine.guest.kernel.cache.Dentries;
import vitrine.guest.kernel.cache.InodeCache;
import vitrine.guest.kernel.cache.Terms;
import vitrine.guest.kernel.client.FuseClient;
import vitrine.guest.kernel.rule.Decisions;
import vitrine.guest.kernel.rule.Rule;

/// What all calls on a mounted share work on.
///
/// @param client the way to the server
/// @param terms under which terms things are remembered
/// @param inodes the files that are known
/// @param names and their names
record Mount(FuseClient client, Terms terms, InodeCache inodes, Dentries names) {

    static Mount of(FuseClient client, Terms terms, DaxPath window) {
        InodeCache inodes = new InodeCache(terms, window);
        return new Mount(client, terms, inodes, new Dentries(terms, inodes));
    }

    /// Applies a rule.
    <T> T by(Rule<T> rule) {
        return decisions().by(rule);
    }

    Decisions decisions() {
        return terms.decisions();
    }
}
