package vitrine.guest.kernel.dax;

/// What a write does that ends behind the end of the file. The window cannot make a file longer.
public enum ExtendingWrite {
    /// All of it is a WRITE, the part inside the file too: Linux since 5.10. Data and size change
    /// together, whatever happens.
    WRITE,
    /// What is inside the file goes through the window, the rest is a WRITE: patches of 2019 and
    /// 2020. Between the two the write is half done.
    SPLIT,
    /// FALLOCATE makes the file longer, then all of it goes through the window: the prototype of
    /// 2018. Between the two the file has zeros where data will be.
    FALLOCATE_FIRST,
    /// The same by SETATTR, in a prototype of 2019.
    TRUNCATE_FIRST
}
