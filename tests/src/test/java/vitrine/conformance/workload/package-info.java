/// Work for a guest: whether it is the work that was asked for, and whether what is told of it is
/// so.
package vitrine.conformance.workload;
