import Engine
import Glibc

/// Writes a text to a descriptor, in as many calls as it takes.
///
/// Returns: 0, or the error number of the call that failed.
func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

/// Writes bytes to a descriptor, in as many calls as it takes. After ^C a reader has two seconds left to go on.
///
/// Returns: 0, or the error number of the call that failed; ECANCELED where nobody read on.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var status = stat()
  let hasReader = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  var rest = bytes[...]
  while !rest.isEmpty {
    if hasReader, !StreamRoom.wait(for: descriptor, isCancelled: { InterruptHandler.pending != nil }) {
      return ECANCELED
    }
    let wanted = hasReader ? min(rest.count, StreamRoom.bytes) : rest.count
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, wanted)
    if count < 0 {
      guard errno == EINTR || errno == EAGAIN else { return errno }
      continue
    }
    rest = rest.dropFirst(count)
  }
  return 0
}
