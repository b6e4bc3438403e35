/// What a packet holds, as far as its numbers are concerned.
enum PacketKind: BitwiseCopyable {
  case sound(announcesPause: Bool)
  /// A key press, comfort noise, or what cannot be decoded.
  case soundless
}

/// What comes from the other side: which packets, which are missing, and whether it has left.
///
/// Real-time: wait-free.
struct RemoteSource: ~Copyable {
  /// Nil before the first packet.
  private(set) var ssrc: UInt32?
  private(set) var hasLeft = false
  var statistics = ReceptionStatistics()
  var missing: NackTracker
  private var arbiter = SourceArbiter()

  init(policy: NackPolicy) { missing = NackTracker(policy: policy) }

  /// Returns: to which stream the packet belongs, and whether it has been sent again.
  @_noLocks
  mutating func receive(
    _ header: RTPHeader, _ kind: PacketKind, roundTripNanoseconds: Int?, nowNanoseconds: Int
  ) -> PacketClassification {
    let decision =
      switch kind {
      case .sound(let announcesPause): arbiter.classify(header, announcesPause: announcesPause, arrival: nowNanoseconds)
      case .soundless: arbiter.classifySoundless(header, arrival: nowNanoseconds)
      }
    let number: Int
    let timestamp: Int
    switch decision {
    case .unknownSource: return PacketClassification(decision)
    case .begins(let first, let begin):
      ssrc = header.ssrc
      hasLeft = false
      statistics = ReceptionStatistics()
      missing.reset()
      (number, timestamp) = (first, begin)
    case .accepted(let next, let time): (number, timestamp) = (next, time)
    }
    let retransmitted =
      missing.allowsWaiting(roundTripNanoseconds: roundTripNanoseconds)
      ? PacketOrigin.retransmittedInReach : .retransmitted
    // Before it counts: what is sent again says nothing about jitter, and does not take a loss back.
    var copy = PacketCopy.first
    if missing.isAwaited(number, nowNanoseconds: nowNanoseconds) {
      if missing.receive(number, nowNanoseconds: nowNanoseconds, roundTripNanoseconds: roundTripNanoseconds) {
        return PacketClassification(decision, origin: retransmitted)
      }
    } else {
      copy = missing.receiveCopy(number, nowNanoseconds: nowNanoseconds)
      // Each number counts once at most, and only where the packet itself has come.
      if case .answer = copy { return PacketClassification(decision, origin: retransmitted) }
    }
    if case .copy = copy {
      statistics.noteDuplicate()
      return PacketClassification(decision)
    }
    switch kind {
    case .sound: statistics.receive(sequence: number, timestamp: header.timestamp, arrivalNanoseconds: nowNanoseconds)
    case .soundless: statistics.receive(sequence: number)
    }
    missing.receive(number, timestamp: timestamp, nowNanoseconds: nowNanoseconds)
    return PacketClassification(decision)
  }

  /// Notes how far the listener is, and gives up what he has passed: also while nothing is missing, since an outage
  /// that ends the stream leaves only what was known before it.
  @_noLocks
  mutating func pass(_ position: PlayoutPosition) {
    guard position.ssrc == ssrc, let timestamp = arbiter.unwrapped(position.timestamp) else { return }
    missing.pass(timestamp: timestamp, atNanoseconds: position.nanoseconds, hasFEC: position.hasFEC)
  }

  @_noLocks
  mutating func receiveBye() {
    hasLeft = true
    arbiter.receiveBye()
    missing.reset()
  }
}
