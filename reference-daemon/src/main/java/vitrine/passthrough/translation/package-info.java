/// What a name or a number of the guest's is called on the host, and back.
///
/// ```
///   --xattrmap RULES ──► XattrMapParser ──► XattrMap      user.x  ◄──► user.virtiofs.user.x
///   --translate-uid RULE … ──► IdMap ──► IdTranslation    0       ◄──► 100000
/// ```
///
/// Rules are read once, when the daemon starts, and are values from then on. A request asks one
/// question, in one direction, and gets an answer or an errno.
///
/// Nothing here makes a system call or knows a request.
package vitrine.passthrough.translation;
