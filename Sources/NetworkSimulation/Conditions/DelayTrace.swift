/// Measured delays of packets, one after another; some packets were lost.
///
///     # one packet a line, delays in milliseconds
///     21.5
///     lost
///     20
public struct DelayTrace: Hashable, Sendable {
  /// Delay of packet k; nil if the packet is lost. Never empty.
  let nanoseconds: [Int?]

  /// Creates a trace from its entries; nil marks a lost packet.
  ///
  /// - Throws: `NetworkConditionsError` if the trace is empty, or a delay is below 0 or above 60 s.
  public init(_ delays: [Duration?]) throws(NetworkConditionsError) {
    guard !delays.isEmpty else { throw .emptyTrace }
    for case .some(let delay) in delays { try validateDuration(delay, of: "an entry of a trace") }
    nanoseconds = delays.map { $0?.wholeNanoseconds }
  }

  /// Creates a trace from text: one delay in milliseconds or the word `lost` a line. Empty lines and text after a # are
  /// ignored.
  ///
  /// - Throws: The number and the start of the first line that is neither; an error for a text without entries.
  public init(parsing text: String) throws(NetworkConditionsError) {
    var delays: [Duration?] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.prefix { $0 != "#" }.split { $0.isWhitespace }
      guard let word = words.first else { continue }
      guard words.count == 1 else { throw Self.error(line, at: index) }
      if word == "lost" {
        delays.append(nil)
      } else if word.allSatisfy({ "0123456789.eE+-".contains($0) }), let milliseconds = Double(word),
        (0...60_000).contains(milliseconds)
      {
        delays.append(.nanoseconds(Int((milliseconds * 1_000_000).rounded())))
      } else {
        throw Self.error(line, at: index)
      }
    }
    try self.init(delays)
  }

  /// Shows only the start of the line: a line that is not an entry may be a whole file of another kind.
  private static func error(_ line: Substring, at index: Int) -> NetworkConditionsError {
    let shown = line.prefix(40)
    return .traceLine(number: index + 1, text: String(shown) + (shown.endIndex < line.endIndex ? "..." : ""))
  }

  /// Number of packets after which the trace restarts.
  public var count: Int { nanoseconds.count }
}
