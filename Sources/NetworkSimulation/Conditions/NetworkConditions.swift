/// What a link does to the packets sent over it, in one direction.
///
///     sent ─▶ bottleneck ─▶ loss ─▶ delay + jitter + spikes (+ held back) ─▶ delivered, perhaps twice
///
/// A value holds conditions that have been checked. What is lost has used the bottleneck all the same.
public struct NetworkConditions: Hashable, Sendable {
  /// Which packets are lost.
  public let loss: LossModel
  /// What every packet takes at least (at least on average, with uniform jitter), 0 to 60 s.
  public let delay: Duration
  /// What differs from packet to packet.
  public let jitter: JitterModel
  /// Moments at which the link stands still.
  public let spikes: DelaySpikes?
  /// Packets that are held back.
  public let reordering: Reordering?
  /// Probability that a packet arrives twice; the copy has a jitter of its own.
  public let duplication: Double
  /// The link's rate; nil = no limit.
  public let bottleneck: Bottleneck?

  /// Conditions from their parts; what is left out does nothing. Throws: the first part that cannot be, in a sentence.
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

  /// Everything arrives, at the moment it is sent.
  public static let perfect = NetworkConditions()
}
