/// From a kick to a reply.
///
/// ```
///   kick ──► QueueWorker.run ──► DeviceQueue.pop        the next chain, bounds-checked
///                  │
///                  ├──► FuseSession.serve ──► FuseRequest.decode ──► FileSystem.answer
///                  │                 └──────► the reply header, and the errno if there was one
///                  │
///                  ├──► Parked                           what has no reply yet; tried again
///                  │
///                  └──► DeviceQueue.push, call           the driver is told, once for a batch
/// ```
///
/// Here errors become answers: the host's refusal becomes its errno, a request that is none
/// becomes EINVAL, a chain that is none is returned empty, a ring that is none stops its queue. No
/// path from here ends the process, whatever the guest sends.
///
/// Not here: what a request means (`vitrine.passthrough`), how a ring is laid out
/// (`vitrine.virtqueue`), who starts the threads (`vitrine.daemon`).
package vitrine.session;
