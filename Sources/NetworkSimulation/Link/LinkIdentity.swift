package import Platform

/// Identity of one direction between two places of a simulation; it determines the random numbers of that link.
public struct LinkIdentity: Hashable, Sendable, BitwiseCopyable {
  /// Number of the sender.
  public let sender: UInt32
  /// Number of the receiver.
  public let receiver: UInt32

  /// Creates the direction from one place to another.
  public init(sender: UInt32, receiver: UInt32) {
    self.sender = sender
    self.receiver = receiver
  }

  /// Purposes of a link's random numbers: each has a stream, so that a link with more jitter loses the same packets.
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
