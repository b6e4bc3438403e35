/// Moments at which a link stalls, as a radio link does: packets sent meanwhile arrive together when it continues.
///
/// A packet sent t after the start of a spike of size s takes s - t longer than it would.
public struct DelaySpikes: Hashable, Sendable {
  /// Spikes a second on average, at random moments outside spikes.
  public var perSecond: Double
  /// Shortest spike.
  public var smallest: Duration
  /// Longest spike; sizes from `smallest` to `largest` are equally probable.
  public var largest: Duration

  /// Creates spikes of sizes between `smallest` and `largest`.
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
