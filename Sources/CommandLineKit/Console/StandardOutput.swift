import Glibc
package import JSON

/// stdout, for results only.
package struct StandardOutput: Sendable {
  private let descriptor: Int32

  package init(descriptor: Int32 = 1) { self.descriptor = descriptor }

  /// Writes a text.
  ///
  /// - Throws: `BrokenPipe` if the reader has gone, else a `CommandFailure` with exit code 74.
  package func write(_ text: String) throws { try check(writeAll(text, to: descriptor)) }

  /// Writes bytes; once `isCancelled` is true, a reader has two seconds left to continue.
  ///
  /// - Throws: as `write` of a text.
  package func write(
    _ bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool = { InterruptHandler.pending != nil }
  ) throws {
    try check(writeAll(bytes, to: descriptor, isCancelled: isCancelled))
  }

  /// Writes a text and ends the line.
  ///
  /// - Throws: as `write`.
  package func writeLine(_ text: String) throws { try write(text + "\n") }

  /// Writes any number of lines.
  ///
  /// - Throws: as `write`.
  package func writeLines(_ lines: some Sequence<String>) throws {
    try check(CommandLineKit.writeLines(lines, to: descriptor))
  }

  /// Writes one JSON object of any length and a line's end.
  ///
  /// - Throws: as `write`.
  package func writeDocument(_ body: (inout JSONWriter) -> Void) throws {
    try check(CommandLineKit.writeDocument(to: descriptor, body))
  }

  private func check(_ error: Int32) throws {
    switch error {
    case 0: return
    case EPIPE: throw BrokenPipe()
    case ECANCELED:
      throw CommandFailure(
        InterruptHandler.pending ?? .inputOutput, "stdout: writing was given up before the end, as nobody read on")
    case EBADF: throw CommandFailure(.inputOutput, "stdout is closed; leave it open or send it to a file")
    default:
      throw CommandFailure(
        .inputOutput, "cannot write to stdout: \(systemErrorText(error)); make room or send it elsewhere")
    }
  }
}
