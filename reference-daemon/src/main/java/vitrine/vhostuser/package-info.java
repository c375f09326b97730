/// The back end of vhost-user: what a front end (QEMU) says, done.
///
/// ```
///                  Connection.receive             messages as values: vitrine.vhostuser.message
///                         │
///                  Backend.run, serve             obeys, and answers exactly what is waited for
///                    │         │
///          MemoryTable         Rings ──► Ring     regions come and go; a ring is started, enabled,
///                    │         │                  and found in memory: in any order
///              GuestMemory     └──► VirtioDevice.start(Vring), stop(index)
///
///                  FrontendMapper ──► BackendChannel       the other way: fill the window, please
/// ```
///
/// One thread obeys all messages of a connection. It has no hand in the requests: when the three
/// conditions of a ring are met it calls [vitrine.vhostuser.VirtioDevice#start], and before it
/// takes anything away that a ring is made of it calls [vitrine.vhostuser.VirtioDevice#stop], which
/// returns only when nobody touches the ring any more. So no lock is needed between the control
/// messages and the requests, with one exception: a call descriptor may be exchanged while it is
/// signalled. What a request needs of the front end is ordered, and nobody waits for it, see
/// [vitrine.vhostuser.FrontendMapper].
///
/// Not here: what is in a request, threads that serve rings, the listening socket, what a device
/// remembers. Not done, and therefore not offered: in-flight tracking, polled rings, migration that
/// copies memory when it is missed (postcopy).
package vitrine.vhostuser;
