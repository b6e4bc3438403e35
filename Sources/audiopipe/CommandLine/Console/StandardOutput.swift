import Glibc

/// stdout, where results go and nothing else.
struct StandardOutput: Sendable {
  private let descriptor: Int32

  init(descriptor: Int32 = 1) { self.descriptor = descriptor }

  /// Writes a text.
  ///
  /// Throws: `ClosedOutput` where the reader has gone, else a `CommandFailure` with exit code 74.
  func write(_ text: String) throws {
    switch writeAll(text, to: descriptor) {
    case 0: return
    case EPIPE: throw ClosedOutput()
    case ECANCELED:
      throw CommandFailure(
        InterruptHandler.pending ?? .inputOutput, "stdout: writing was given up before the end, as nobody read on")
    case let number:
      throw CommandFailure(
        .inputOutput, "cannot write to stdout: \(systemErrorText(number)); make room or send it elsewhere")
    }
  }

  /// Writes a text and ends the line.
  func writeLine(_ text: String) throws { try write(text + "\n") }
}
