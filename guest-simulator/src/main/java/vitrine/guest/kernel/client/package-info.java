/// The connection of the guest's kernel to the server.
///
/// ```
///  FuseRequest ──► FuseClient ──► Transport          numbers, INIT, errnos
/// ```
///
/// It knows requests and replies, and no files.
package vitrine.guest.kernel.client;
