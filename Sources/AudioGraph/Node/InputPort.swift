/// Where frames enter a node.
public struct InputPort: Hashable, Sendable {
  /// How many connections a port takes.
  public enum Multiplicity: Sendable {
    /// Exactly one.
    case one
    /// One or none; without one the node sees silence.
    case optional
    /// Any number, which the node mixes.
    case any
  }

  /// The name that errors use.
  public let name: String
  /// Channel counts that the port accepts.
  public let channelCounts: ClosedRange<Int>
  /// How many connections the port takes.
  public let multiplicity: Multiplicity
  private let refusesBetween: Bool

  /// A port that accepts any of `channelCounts`.
  public init(_ name: String = "in", channelCounts: ClosedRange<Int>, multiplicity: Multiplicity = .one) {
    self.name = name
    self.channelCounts = channelCounts
    self.multiplicity = multiplicity
    refusesBetween = false
  }

  /// A port that accepts mono and `channelCount` channels, and nothing in between.
  public init(_ name: String = "in", monoOr channelCount: Int, multiplicity: Multiplicity = .one) {
    self.name = name
    channelCounts = 1...channelCount
    self.multiplicity = multiplicity
    refusesBetween = channelCount > 2
  }

  /// A port that accepts one connection of `channelCount` channels.
  public init(_ name: String = "in", channelCount: Int) {
    self.init(name, channelCounts: channelCount...channelCount)
  }

  /// The counts that an error names when `channelCount` channels do not fit. Returns: nil when they do.
  func mismatch(_ channelCount: Int) -> ClosedRange<Int>? {
    let full = channelCounts.upperBound
    if refusesBetween { return channelCount == 1 || channelCount == full ? nil : full...full }
    return channelCounts.contains(channelCount) ? nil : channelCounts
  }
}
