/// What the guest holds of the host: files that it knows, files that it has open, and locks.
///
/// ```
///     LOOKUP … FORGET        OPEN … RELEASE         SETLK … FLUSH
///            │                     │                     │
///        InodeTable            HandleTable           LockTable        numbers of the guest's
///            │                     │                     │
///          Inode       OpenFile, OpenDirectory         Owner
///            └─────────────────────┼─────────────────────┘
///                          SharedDescriptor                           closed by whoever is last
///                                  │
///                          DescriptorBudget                           how many there may be
/// ```
///
/// In goes a number that the guest names, a claim; out comes a descriptor that stays open until the
/// caller closes it, or an errno. Several queues ask at once, and one may give back what another
/// still reads from: so each descriptor is counted, and so is what all of them cost together. A
/// file that is only known need not cost one. It can be found again by its file handle, see
/// [vitrine.passthrough.held.HostHandles].
///
/// Nothing here knows a request, checks a name, or decides who may do what: that is for the
/// operations of `vitrine.passthrough`.
package vitrine.passthrough.held;
