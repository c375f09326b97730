package vitrine.passthrough;

import vitrine.dax.Room;
import vitrine.dax.Window;
import vitrine.passthrough.held.DescriptorBudget;
import vitrine.passthrough.held.HandleTable;
import vitrine.passthrough.held.InodeTable;
import vitrine.passthrough.held.LockTable;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fd;
import vitrine.posix.Stat;
import vitrine.posix.Syscalls;

/// What all operations work on: the host, the guest's nodeids, handles and locks, and what was
/// agreed.
record Share(
        Syscalls sys,
        PassthroughOptions options,
        Negotiation negotiation,
        Identity identity,
        XattrNames xattrNames,
        FileCapability capability,
        Creation creation,
        DescriptorBudget budget,
        InodeTable inodes,
        HandleTable handles,
        LockTable locks,
        Attributes attributes,
        Window window,
        Room room,
        DaxFiles dax,
        Entries entries) {

    /// Puts the parts together around the shared directory.
    ///
    /// @param root an `O_PATH` descriptor of it, taken over
    static Share of(Syscalls sys, PassthroughOptions options, Fd root, Window window) throws ErrnoException {
        DescriptorBudget budget = new DescriptorBudget(options.descriptors());
        InodeTable inodes = new InodeTable(sys, options.fileHandles(), budget, root);
        Negotiation negotiation = new Negotiation(options, window);
        Identity identity = new Identity(sys, negotiation, options.ids());
        XattrNames names = new XattrNames(options.xattrMap(), negotiation);
        Attributes attributes = new Attributes(options.timeout(), options.ids());
        long device = sys.statx(root, Stat.STATX_INO).dev();
        DaxFiles dax = new DaxFiles(sys, device, options, negotiation, inodes);
        return new Share(
                sys,
                options,
                negotiation,
                identity,
                names,
                new FileCapability(sys, options.xattrMap()),
                new Creation(sys, identity, negotiation, new Labels(sys, options, negotiation, names)),
                budget,
                inodes,
                new HandleTable(),
                new LockTable(sys, budget),
                attributes,
                window,
                new Room(sys, window),
                dax,
                new Entries(sys, inodes, attributes, negotiation, dax));
    }

    /// Takes back all that the guest holds: a new session starts, or the old one is over.
    void clear() {
        handles.clear();
        locks.clear(); // after the handles: without one, nobody locks
        inodes.clear();
        window.begin();
        negotiation.reset();
    }
}
