/// The program from outside: its command line, and its life from start to exit code.
///
/// ```
///   Main.run(arguments) ──► what is printed, the exit code           in this process
///   DaemonProcess ──► a socket ──► Frontend, LyingDriver             in its own
/// ```
///
/// Whoever runs virtual machines relies on these words and numbers, and on nothing inside.
package vitrine.conformance.daemon;
