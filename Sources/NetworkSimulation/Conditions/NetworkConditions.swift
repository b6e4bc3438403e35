/// Effect of a link on the packets sent over it, in one direction.
///
///     sent ─▶ bottleneck ─▶ loss ─▶ delay + jitter + spikes (+ held back) ─▶ delivered, perhaps twice
///
/// A value holds conditions that have been checked. A lost packet has used the bottleneck all the same.
public struct NetworkConditions: Hashable, Sendable {
  /// Model of lost packets.
  public let loss: LossModel
  /// Least delay of every packet (least mean delay with uniform jitter), 0 to 60 s.
  public let delay: Duration
  /// Delay that varies from packet to packet.
  public let jitter: JitterModel
  /// Moments at which the link stalls; nil for none.
  public let spikes: DelaySpikes?
  /// Packets that are held back; nil for none.
  public let reordering: Reordering?
  /// Probability that a packet is duplicated; the duplicate has its own jitter.
  public let duplication: Double
  /// The link's rate; nil for no limit.
  public let bottleneck: Bottleneck?

  /// Creates conditions from their parts; omitted parts do nothing.
  ///
  /// - Throws: `NetworkConditionsError` for the first part that is not possible.
  public init(
    loss: LossModel = .none, delay: Duration = .zero, jitter: JitterModel = .none, spikes: DelaySpikes? = nil,
    reordering: Reordering? = nil, duplication: Double = 0, bottleneck: Bottleneck? = nil
  ) throws(NetworkConditionsError) {
    try loss.validate()
    try validateDuration(delay, of: "a link")
    try jitter.validate(delay: delay)
    try spikes?.validate()
    try reordering?.validate()
    try validateProbability(duplication, of: "duplication")
    try bottleneck?.validate()
    self.loss = loss
    self.delay = delay
    self.jitter = jitter
    self.spikes = spikes
    self.reordering = reordering
    self.duplication = duplication
    self.bottleneck = bottleneck
  }

  private init() {
    loss = .none
    delay = .zero
    jitter = .none
    spikes = nil
    reordering = nil
    duplication = 0
    bottleneck = nil
  }

  /// Conditions under which everything arrives at the moment it is sent.
  public static let perfect = NetworkConditions()
}
