/// The shell: be a program in the simulated guest, and see what each command causes.
///
/// ```
///  ShellCommand ──► Interpreter ──► Programs ──► GuestProcess    words, redirections, system calls
///                        └────────► Story                        what they caused, with 'trace on'
/// ```
///
/// A shell to try things with, not to write scripts in: no pipes, no variables, no globbing.
package vitrine.guest.shell;
