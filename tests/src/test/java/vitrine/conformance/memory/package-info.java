/// Guest memory: bounds, regions that come and go, who waits for whom.
///
/// ```
///   random regions, random addresses ──► GuestMemory ──► wholly inside one region, or refused
/// ```
package vitrine.conformance.memory;
