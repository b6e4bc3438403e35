// A program that builds nodes needs the rings, atomics, clocks and doorbells that reach them, so these modules come
// with this one. They are modules of their own because the compiler checks generic code for locks and allocations only
// through a module boundary (in debug builds), and because a relay needs a clock without an audio graph.
@_exported public import LockFree
@_exported public import Platform
