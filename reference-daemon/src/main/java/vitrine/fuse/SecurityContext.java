package vitrine.fuse;

import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// The label that a new file is to have from the start: an extended attribute of a security module.
///
/// @param attribute its name, such as `security.selinux`
/// @param label its value
public record SecurityContext(Name attribute, Buffers label) {}
