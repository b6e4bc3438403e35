public import NetworkSimulation

/// A change of one part of a link's conditions.
public enum NetworkChange: Hashable, Sendable {
  /// Model of lost packets.
  case loss(LossModel)
  /// Least delay of every packet.
  case delay(Duration)
  /// Delay that varies from packet to packet.
  case jitter(JitterModel)
  /// Moments at which the link stalls; nil for none.
  case spikes(DelaySpikes?)
  /// Packets that are held back; nil for none.
  case reordering(Reordering?)
  /// Probability that a packet is duplicated.
  case duplication(Double)
  /// The link's rate; nil for no limit.
  case bottleneck(Bottleneck?)
}

extension NetworkConditions {
  /// Returns the conditions after some changes; other parts stay as they are.
  ///
  /// - Throws: The parts that are not possible together.
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
