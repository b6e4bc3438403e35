/// Delays of packets, one after another, as they were measured somewhere; some packets were lost.
///
///     # one packet a line, delays in milliseconds
///     21.5
///     lost
///     20
public struct DelayTrace: Hashable, Sendable {
  /// What happens to packet k; nil = it is lost. Never empty.
  let nanoseconds: [Int?]

  /// A trace from its entries; nil marks a lost packet. Throws: no entries, or a delay below 0 or above 60 s.
  public init(_ delays: [Duration?]) throws(NetworkConditionsError) {
    guard !delays.isEmpty else { throw .emptyTrace }
    for case .some(let delay) in delays { try validateDuration(delay, of: "an entry of a trace") }
    nanoseconds = delays.map { $0?.wholeNanoseconds }
  }

  /// A trace from text: one delay in milliseconds or the word `lost` a line; empty lines and what follows a # are left
  /// out.
  ///
  /// Throws: the number and the beginning of the first line that is neither, or that there is none at all.
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

  /// A line that is no entry may be a whole file of something else.
  private static func error(_ line: Substring, at index: Int) -> NetworkConditionsError {
    let shown = line.prefix(40)
    return .traceLine(number: index + 1, text: String(shown) + (shown.endIndex < line.endIndex ? "..." : ""))
  }

  /// How many packets pass before the trace begins again.
  public var count: Int { nanoseconds.count }
}
