// Whoever builds nodes needs the rings and atomics that reach them. They live in a module of their own because
// the compiler checks generic code for locks and allocations only through a module boundary (in debug builds).
@_exported public import LockFree
