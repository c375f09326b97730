/// The virtqueue: what each side writes and when, what wraps, what a liar can do.
///
/// ```
///   DriverQueue ──► SharedMemory ◄── SplitDeviceQueue
///                       │
///                  NotedMemory      every access with its order, for the properties about ordering
/// ```
package vitrine.conformance.virtqueue;
