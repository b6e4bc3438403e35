/// Names one direction between two places of a simulation, and with it the random numbers of that link.
public struct LinkIdentity: Hashable, Sendable, BitwiseCopyable {
  /// Who sends.
  public let sender: UInt32
  /// Who receives.
  public let receiver: UInt32

  /// The direction from one place to another.
  public init(sender: UInt32, receiver: UInt32) {
    self.sender = sender
    self.receiver = receiver
  }

  /// What random numbers of a link are drawn for: a stream for each, so that a link with more jitter loses the same
  /// packets.
  package enum Purpose: UInt64 {
    case loss, jitter, spikes, reordering, duplication, copiesJitter, feedback
  }

  package func stream(_ purpose: Purpose, seed: UInt64, lane: TrafficClass = .voice) -> RandomStream {
    switch lane {
    case .voice: RandomStream(seed: seed, path: UInt64(sender), UInt64(receiver), purpose.rawValue)
    case .other: RandomStream(seed: seed, path: UInt64(sender), UInt64(receiver), purpose.rawValue, 1)
    }
  }
}
