package vitrine.guest.driver;

/// A chain that the device has given back.
///
/// @param token what the chain was added with
/// @param head its first descriptor, free again
/// @param written how many bytes, from the first writable one on, the device says it wrote
/// @param <T> what the driver knows its requests by
public record Used<T>(T token, int head, long written) {}
