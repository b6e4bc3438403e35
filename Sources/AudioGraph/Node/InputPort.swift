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

  /// A port that accepts any of `channelCounts`.
  public init(_ name: String = "in", channelCounts: ClosedRange<Int>, multiplicity: Multiplicity = .one) {
    self.name = name
    self.channelCounts = channelCounts
    self.multiplicity = multiplicity
  }

  /// A port that accepts one connection of `channelCount` channels.
  public init(_ name: String = "in", channelCount: Int) {
    self.init(name, channelCounts: channelCount...channelCount)
  }
}
