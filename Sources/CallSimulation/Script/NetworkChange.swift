public import NetworkSimulation

/// A part of a link's conditions that becomes another one.
public enum NetworkChange: Hashable, Sendable {
  /// Which packets are lost.
  case loss(LossModel)
  /// What every packet takes at least.
  case delay(Duration)
  /// What differs from packet to packet.
  case jitter(JitterModel)
  /// Moments at which the link stands still; nil = none.
  case spikes(DelaySpikes?)
  /// Packets that are held back; nil = none.
  case reordering(Reordering?)
  /// Probability that a packet arrives twice.
  case duplication(Double)
  /// The link's rate; nil = no limit.
  case bottleneck(Bottleneck?)
}

extension NetworkConditions {
  /// The conditions after some changes; what they do not name stays. Throws: what they cannot be together.
  public func applying(_ changes: [NetworkChange]) throws(NetworkConditionsError) -> NetworkConditions {
    var (loss, delay, jitter, spikes) = (loss, delay, jitter, spikes)
    var (reordering, duplication, bottleneck) = (reordering, duplication, bottleneck)
    for change in changes {
      switch change {
      case .loss(let value): loss = value
      case .delay(let value): delay = value
      case .jitter(let value): jitter = value
      case .spikes(let value): spikes = value
      case .reordering(let value): reordering = value
      case .duplication(let value): duplication = value
      case .bottleneck(let value): bottleneck = value
      }
    }
    return try NetworkConditions(
      loss: loss, delay: delay, jitter: jitter, spikes: spikes, reordering: reordering, duplication: duplication,
      bottleneck: bottleneck)
  }
}
