/// What kernels send for small programs, against what stands in the `.programs` files.
///
/// ```
///                    ┌─► the model's kernel       ModelProgramTest
///   *.programs ──────┼─► this host's, /dev/fuse   BridgeProgramTest
///                    └─► a real guest's, in QEMU  GuestProgramTest
/// ```
///
/// The files are true for real kernels, which is tested here as well. What the model does not do
/// like them yet is listed by name in `model-differs.txt`, and the list can only become shorter.
package vitrine.conformance.program;
