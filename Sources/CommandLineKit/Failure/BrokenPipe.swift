/// The reader of standard output has closed it: not a failure, but a quiet end with exit code 0.
package struct BrokenPipe: Error {
  package init() {}
}
