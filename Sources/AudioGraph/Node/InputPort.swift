/// A port through which frames enter a node.
public struct InputPort: Hashable, Sendable {
  /// Number of connections that a port takes.
  public enum Multiplicity: Sendable {
    /// Exactly one connection.
    case one
    /// One connection or none; without one the node receives silence.
    case optional
    /// Any number of connections, which the node mixes.
    case any
  }

  /// Name of the port in errors.
  public let name: String
  /// Channel counts that the port accepts.
  public let channelCounts: ClosedRange<Int>
  /// Number of connections that the port takes.
  public let multiplicity: Multiplicity
  private let refusesBetween: Bool

  /// Creates a port that accepts any of `channelCounts`.
  public init(_ name: String = "in", channelCounts: ClosedRange<Int>, multiplicity: Multiplicity = .one) {
    self.name = name
    self.channelCounts = channelCounts
    self.multiplicity = multiplicity
    refusesBetween = false
  }

  /// Creates a port that accepts mono and `channelCount` channels, and nothing in between.
  public init(_ name: String = "in", monoOr channelCount: Int, multiplicity: Multiplicity = .one) {
    self.name = name
    channelCounts = 1...channelCount
    self.multiplicity = multiplicity
    refusesBetween = channelCount > 2
  }

  /// Creates a port that accepts one connection of `channelCount` channels.
  public init(_ name: String = "in", channelCount: Int) {
    self.init(name, channelCounts: channelCount...channelCount)
  }

  /// Returns the counts that an error names if `channelCount` channels do not fit; nil if they do.
  func mismatch(_ channelCount: Int) -> ClosedRange<Int>? {
    let full = channelCounts.upperBound
    if refusesBetween { return channelCount == 1 || channelCount == full ? nil : full...full }
    return channelCounts.contains(channelCount) ? nil : channelCounts
  }
}
