/// The structs of `<linux/fuse.h>`, one file each, under their C names.
///
/// ```
///   struct fuse_write_in {          record WriteIn(fh, offset, size, writeFlags, lockOwner, flags)
///       uint64_t fh;                  LAYOUT   where each field lies, by its C name
///       uint64_t offset;              decode   reads each field once, passes over padding
///       ...                           encode   writes each field, zeroes padding
///   };
/// ```
///
/// This is a dictionary, to be looked into and not to be read through, and so it has more files
/// than any other package: as many as the protocol has structs. Unsigned numbers are held in Java's
/// signed ones of the same size. A test asks a C compiler whether `LAYOUT` is right, another
/// whether `encode` and `decode` keep to it.
///
/// There is no struct here that was longer or shorter in some version, except where its own page
/// says so: `InitIn` and `SetxattrIn`.
package vitrine.fuse.struct;
