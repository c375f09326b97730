/// What a virtio-fs client sends: programs as data, and three kernels that perform them.
///
/// ```
///  *.programs ──► Programs      steps, and the requests that each of them should cause
///                    │
///     Performer:  the model's kernel │ this host's, over the bridge │ a real guest's, in QEMU
///                    │
///                  Stage        the server of one program: sets it up, and writes down what comes
///                    │
///               Performance     side by side: what was expected, what was seen
/// ```
///
/// A step is a system call. Its requests are told in one notation
/// ([vitrine.guest.program.Notation]), in which files have names, and of the arguments those are
/// left that a rule of the client decides.
///
/// No data is compared here, and no result but an errno: what the files look like afterwards is
/// what other tests are about.
package vitrine.guest.program;
