/// The commands of `./vitrine`, all but the daemon, and the story that they tell a trace as.
///
/// ```
///   Vitrine ──┬─► TraceCommand ──► Story ◄── the shell
///             ├─► QemuCommand ───► vitrine.guest.qemu
///             └─► the demo and the shell, in packages of their own
/// ```
///
/// Options in, text and an exit code out; what is behind a command is in another package.
package vitrine.guest.command;
