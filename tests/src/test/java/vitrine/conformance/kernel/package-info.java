/// The model of the guest's kernel: its rules one by one, and the requests that come of them.
package vitrine.conformance.kernel;
