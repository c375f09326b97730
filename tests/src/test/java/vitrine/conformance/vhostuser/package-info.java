/// The back end, with a front end that behaves, one that does not, and a real QEMU.
///
/// ```
///   BackendLink: a test ══ socket pair ══ Backend ──► RecordingDevice
///   Frontend ══ socket ══ QEMU's C virtiofsd           QEMU ══ socket ══ Backend
/// ```
package vitrine.conformance.vhostuser;
