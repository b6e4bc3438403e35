import Platform

/// stderr: whole lines, and below them at most one status line that is redrawn in place.
///
/// Thread: any but the audio thread; a lock keeps lines whole.
package final class ErrorStream: Sendable {
  private let status = Guarded("")
  private let sink: @Sendable (String) -> Void

  /// Creates a stream into `sink`; a failure of stderr cannot be reported anywhere.
  package init(sink: @escaping @Sendable (String) -> Void = { _ = writeAll($0, to: 2) }) { self.sink = sink }

  /// Writes a line above the status line.
  package func writeLine(_ line: String) {
    status.withLock { status in sink(status.isEmpty ? line + "\n" : "\r\u{1B}[K" + line + "\n" + status) }
  }

  /// Redraws the status line; an empty text removes it.
  package func showStatus(_ text: String) {
    status.withLock { status in
      guard text != status else { return }
      status = text
      sink("\r\u{1B}[K" + text)
    }
  }

  /// Leaves the status line as it is, and continues below it.
  package func keepStatus() {
    status.withLock { status in
      guard !status.isEmpty else { return }
      status = ""
      sink("\n")
    }
  }
}
