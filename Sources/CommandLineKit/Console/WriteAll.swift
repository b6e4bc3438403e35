import Glibc
package import JSON
import Platform

/// Writes a text to a descriptor, in as many calls as necessary.
///
/// - Returns: 0, or the error number of the call that failed.
package func writeAll(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
}

/// Writes one JSON object and a line's end, piece by piece: a report may be longer than memory should be.
///
/// - Returns: 0, or the error number of the call that failed; the rest is then left out.
package func writeDocument(to descriptor: Int32, _ body: (inout JSONWriter) -> Void) -> Int32 {
  let error = Guarded<Int32>(0)
  let take = { @Sendable (bytes: [UInt8]) in
    error.withLock { error in
      if error == 0 { error = bytes.withUnsafeBytes { writeAll($0, to: descriptor) } }
    }
  }
  var json = JSONWriter(drainingTo: take)
  json.object(body)
  take([UInt8(ascii: "\n")])
  return error.withLock { $0 }
}

/// Writes lines, each with its end, some thousands of bytes at a time.
///
/// - Returns: 0, or the error number of the call that failed; the rest is then left out.
package func writeLines(_ lines: some Sequence<String>, to descriptor: Int32) -> Int32 {
  var gathered: [UInt8] = []
  for line in lines {
    gathered += line.utf8
    gathered.append(UInt8(ascii: "\n"))
    guard gathered.count >= 65_536 else { continue }
    let error = gathered.withUnsafeBytes { writeAll($0, to: descriptor) }
    guard error == 0 else { return error }
    gathered.removeAll(keepingCapacity: true)
  }
  return gathered.withUnsafeBytes { writeAll($0, to: descriptor) }
}

/// Writes bytes to a descriptor, in as many calls as necessary. Once `isCancelled` is true, as after ^C, a reader has
/// two seconds left to continue.
///
/// - Returns: 0, or the error number of the call that failed; ECANCELED if the reader does not continue.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32,
  isCancelled: () -> Bool = { InterruptHandler.pending != nil }
) -> Int32 {
  var status = stat()
  let hasReader = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  var rest = bytes[...]
  while !rest.isEmpty {
    if hasReader, !PipeWriter.wait(for: descriptor, isCancelled: isCancelled) {
      return ECANCELED
    }
    let wanted = hasReader ? min(rest.count, PipeWriter.bytes) : rest.count
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, wanted)
    if count < 0 {
      guard errno == EINTR || errno == EAGAIN else { return errno }
      continue
    }
    rest = rest.dropFirst(count)
  }
  return 0
}
