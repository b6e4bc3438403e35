/// Packets that are held back so that later ones overtake them, in addition to the reordering by jitter.
public struct Reordering: Hashable, Sendable {
  /// Probability that a packet is held back.
  public var probability: Double
  /// Time for which a packet is held back. By default longer than a packet of 20 ms lasts, so that at least one
  /// overtakes.
  public var heldBack: Duration

  /// Creates reordering of this share of packets.
  public init(probability: Double, heldBack: Duration = .milliseconds(30)) {
    self.probability = probability
    self.heldBack = heldBack
  }

  func validate() throws(NetworkConditionsError) {
    try validateProbability(probability, of: "reordering")
    try validateDuration(heldBack, of: "reordering")
    guard heldBack > .zero || probability == 0 else { throw .notHeldBack }
  }
}
