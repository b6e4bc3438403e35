import Glibc

/// Writes a text to a descriptor, in as many calls as it takes.
///
/// Returns: 0, or the error number of the call that failed.
func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

/// Writes bytes to a descriptor, in as many calls as it takes.
///
/// Returns: 0, or the error number of the call that failed.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count < 0 {
      guard errno == EINTR || errno == EAGAIN else { return errno }
      if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      }
      continue
    }
    rest = rest.dropFirst(count)
  }
  return 0
}
