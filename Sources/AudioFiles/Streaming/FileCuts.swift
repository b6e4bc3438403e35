import AudioGraph

/// Spans of a stream that a file leaves out: its pauses.
///
/// Thread: control sets, the file's thread asks.
package final class FileCuts: Sendable {
  /// Positions in samples of the graph; an open span ends with `Int.max`.
  private let spans = Guarded<[Range<Int>]>([])

  package init() {}

  /// Begins a span, unless one is open.
  package func begin(at position: Int) {
    spans.withLock { spans in
      if spans.last?.upperBound != .max { spans.append(position..<Int.max) }
    }
  }

  /// Ends the open span; without one nothing happens.
  package func end(at position: Int) {
    spans.withLock { spans in
      guard let last = spans.last, last.upperBound == .max else { return }
      spans[spans.count - 1] = last.lowerBound..<max(last.lowerBound, position)
    }
  }

  func contains(_ position: Int) -> Bool { spans.withLock { $0.contains { $0.contains(position) } } }
}
