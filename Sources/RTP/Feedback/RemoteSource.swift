/// Content of a packet, as far as its numbers are concerned.
enum PacketKind: BitwiseCopyable {
  case sound(announcesPause: Bool)
  /// A key press, comfort noise, or content that cannot be decoded.
  case soundless
}

/// Stream of the remote party: its packets, the missing ones among them, and its BYE.
///
/// Real-time: wait-free.
struct RemoteSource: ~Copyable {
  /// Synchronization source; nil before the first packet.
  private(set) var ssrc: UInt32?
  private(set) var hasLeft = false
  var statistics: ReceptionStatistics
  var missing: NackTracker
  private var arbiter: SourceArbiter
  private let clockRate: Int

  init(policy: NackPolicy, clockRate: Int) {
    missing = NackTracker(policy: policy)
    arbiter = SourceArbiter(clockRate: clockRate)
    statistics = ReceptionStatistics(clockRate: clockRate)
    self.clockRate = clockRate
  }

  /// Notes and classifies a packet.
  ///
  /// - Returns: Stream of the packet, and whether it is a retransmission.
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
      statistics = ReceptionStatistics(clockRate: clockRate)
      missing.reset()
      (number, timestamp) = (first, begin)
    case .accepted(let next, let time): (number, timestamp) = (next, time)
    }
    let retransmitted =
      missing.allowsWaiting(roundTripNanoseconds: roundTripNanoseconds)
      ? PacketOrigin.retransmittedInReach : .retransmitted
    // Before it counts, since a retransmission does not affect jitter, and does not undo a loss.
    var copy = PacketCopy.first
    if missing.isAwaited(number, nowNanoseconds: nowNanoseconds) {
      if missing.receive(number, nowNanoseconds: nowNanoseconds, roundTripNanoseconds: roundTripNanoseconds) {
        return PacketClassification(decision, origin: retransmitted)
      }
    } else {
      copy = missing.receiveCopy(number, nowNanoseconds: nowNanoseconds)
      // Each number counts at most once, and only if the packet itself has arrived.
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

  /// Notes the listener's position, and gives up the packets before it, also while none is missing. An outage that ends
  /// the stream leaves only the earlier positions.
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
