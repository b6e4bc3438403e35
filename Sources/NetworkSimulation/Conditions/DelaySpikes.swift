/// Moments at which a link stands still: what is sent meanwhile arrives together when it goes on, as on a radio link.
///
/// A packet sent t after the beginning of a spike of size s takes s - t longer than it would.
public struct DelaySpikes: Hashable, Sendable {
  /// Spikes a second on average, at random moments outside spikes.
  public var perSecond: Double
  /// The shortest.
  public var smallest: Duration
  /// The longest; sizes between the two are equally probable.
  public var largest: Duration

  /// Spikes of sizes between `smallest` and `largest`.
  public init(perSecond: Double, smallest: Duration, largest: Duration) {
    self.perSecond = perSecond
    self.smallest = smallest
    self.largest = largest
  }

  func validate() throws(NetworkConditionsError) {
    guard perSecond > 0, perSecond <= 1000 else { throw .spikeRate(perSecond) }
    try validateDuration(smallest, of: "a spike")
    try validateDuration(largest, of: "a spike")
    guard smallest <= largest else { throw .spikeSizes(smallest: smallest, largest: largest) }
  }
}
