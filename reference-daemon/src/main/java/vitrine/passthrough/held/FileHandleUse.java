package vitrine.passthrough.held;

/// How much a file costs that the guest knows and does not have open.
public enum FileHandleUse {
    /// A descriptor, always. What the guest knows stays as it is, even if it is deleted on the
    /// host; when there are no more descriptors, nothing new can be looked up.
    NEVER,
    /// A descriptor, as long as there are enough.
    PREFER,
    /// Nothing. What is deleted on the host is gone, and its space is free. Each request opens the
    /// file anew, and a file whose file system has no handles cannot be looked up.
    MANDATORY
}
