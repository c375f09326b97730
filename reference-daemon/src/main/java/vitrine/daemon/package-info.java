/// The program: options in, an exit code out, and in between everything wired together.
///
/// ```
///  Main ──► OptionList ──► DaemonOptions     both spellings of the command line
///   │
///   └─────► Daemon ──► VirtioFsDevice        a thread for each ring
///              └─────► Watch                 the taps, if --capture asks for them
/// ```
///
/// Nothing here knows a protocol. Who wants to know what a daemon is made of reads
/// `Daemon`; who wants to know what it does follows one of the reading paths in ARCHITECTURE.md.
package vitrine.daemon;
