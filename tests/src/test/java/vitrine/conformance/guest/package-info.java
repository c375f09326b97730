/// The simulated guest, and through it the whole way from a program to the host and back.
///
/// ```
///                    ┌─► GuestProgram ► GuestProcess ► kernel ► ring ► daemon ► directory
///   a history ► Twins                                                              ║ the same?
///    of Calls        └─► HostProgram ► HostRoot ► the host's system calls ► directory
/// ```
///
/// `HistoryTest` is the differential test above. `MachineTest` runs one program on all kinds of
/// machine, `KillPrivTest` compares requests with those of a real Linux guest, `FuseQueueTest`
/// looks at threads that share a queue; `DemoTest` and `ShellTest` at what people see. The layers
/// below have tests of their own, which find the same mistakes with less ado.
package vitrine.conformance.guest;
