/// The guest's kernel, as programs see it, and which kernel it is.
///
/// ```
///   GuestProcess ──► GuestKernel ◄── linux ──► FuseRequest
///                    the system      │  │
///                    calls         rule cache
/// ```
///
/// This package is the border: the system calls as an interface, and the values that cross it. A
/// tap here sees what programs ask for; what their kernel makes of it is in
/// [vitrine.guest.kernel.linux]. Which Linux it is, is data
/// ([vitrine.guest.kernel.KernelProfile]), and so is its time ([vitrine.guest.kernel.GuestClock]).
///
/// Nothing is decided and nothing is sent from here.
package vitrine.guest.kernel;
