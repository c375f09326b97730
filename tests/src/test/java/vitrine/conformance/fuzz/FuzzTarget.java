package vitrine.conformance.fuzz;

/// Something that takes bytes from a stranger, and must not mind.
interface FuzzTarget {

    /// Takes these bytes. Whatever they are, no exception comes of it.
    void take(byte[] input) throws Exception;
}
