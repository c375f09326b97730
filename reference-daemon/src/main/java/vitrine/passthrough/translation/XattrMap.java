package vitrine.passthrough.translation;

import java.util.List;
import java.util.Optional;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.wire.Name;

/// Which name an extended attribute of the guest's has on the host (`--xattrmap`).
///
/// For example, `trusted.` names can be kept as `user.virtiofs.trusted.` ones, so that the guest's
/// root may set them and the host's kernel gives them no meaning. The first rule that fits a name
/// decides; a name that none fits is refused to the guest, and hidden from it.
///
/// @param rules in their order
public record XattrMap(List<Rule> rules) {

    /// The attributes in which Linux keeps the ACLs of a file (acl(5)).
    public static final List<Name> ACLS =
            List.of(Name.of("system.posix_acl_access"), Name.of("system.posix_acl_default"));

    private static final Name NO_NAME = Name.of("");

    /// All names are the same on both sides.
    public static final XattrMap SAME = new XattrMap(List.of(new Rule(Kind.OK, Scope.ALL, NO_NAME, NO_NAME)));

    /// One rule.
    ///
    /// @param kind what becomes of a name that fits
    /// @param scope whose names are tried
    /// @param key how a name of the guest's begins that fits
    /// @param prepend how a name of the host's begins that fits
    public record Rule(Kind kind, Scope scope, Name key, Name prepend) {}

    /// What a rule does with a name.
    public enum Kind {
        /// On the host, `prepend` is put before it.
        PREFIX,
        /// It stays as it is.
        OK,
        /// The guest may not use it: `EPERM`.
        BAD,
        /// The guest is told that there are no such attributes: `EOPNOTSUPP`.
        UNSUPPORTED
    }

    /// Where the names come from that a rule is tried on.
    public enum Scope {
        /// The guest asks for one.
        CLIENT,
        /// The host lists one.
        SERVER,
        /// Either.
        ALL
    }

    /// Keeps a list of its own.
    public XattrMap {
        rules = List.copyOf(rules);
    }

    /// Reads rules as they are written on the command line.
    ///
    /// @throws IllegalArgumentException saying which rule is wrong, and what was expected there
    public static XattrMap parse(String text) {
        return new XattrMap(new XattrMapParser(text).rules());
    }

    /// What the guest means by this name.
    ///
    /// @throws ErrnoException `EPERM` or `EOPNOTSUPP` if it is refused
    public Name toHost(Name guestName) throws ErrnoException {
        for (Rule rule : rules) {
            if (rule.scope != Scope.SERVER && guestName.startsWith(rule.key)) {
                return switch (rule.kind) {
                    case PREFIX -> rule.prepend.followedBy(guestName);
                    case OK -> guestName;
                    case BAD -> throw new ErrnoException("attribute " + guestName, Errno.EPERM);
                    case UNSUPPORTED -> throw new ErrnoException("attribute " + guestName, Errno.EOPNOTSUPP);
                };
            }
        }
        throw new ErrnoException("attribute " + guestName, Errno.EPERM);
    }

    /// Whether ACLs have their own names on the host. By others its kernel would not know them.
    public boolean keepsAcls() {
        return ACLS.stream().allMatch(name -> {
            try {
                return toHost(name).equals(name) && toGuest(name).equals(Optional.of(name));
            } catch (ErrnoException _) {
                return false;
            }
        });
    }

    /// What the guest is told of this name in a list; nothing if it is hidden.
    public Optional<Name> toGuest(Name hostName) {
        for (Rule rule : rules) {
            if (rule.scope != Scope.CLIENT && hostName.startsWith(rule.prepend)) {
                return switch (rule.kind) {
                    case PREFIX ->
                        Optional.of(hostName.from(rule.prepend.length())).filter(name -> name.length() > 0);
                    case OK -> Optional.of(hostName);
                    case BAD, UNSUPPORTED -> Optional.empty();
                };
            }
        }
        return Optional.empty();
    }
}
