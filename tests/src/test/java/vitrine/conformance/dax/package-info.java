/// The DAX window: which piece of which file is where, the end of a file, and the mark on a file.
package vitrine.conformance.dax;
