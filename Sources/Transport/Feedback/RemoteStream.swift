/// What comes from the other side: which packets, which are missing, and whether it has left.
///
/// Real-time: wait-free.
struct RemoteStream: ~Copyable {
  /// Nil before the first packet.
  private(set) var ssrc: UInt32?
  private(set) var hasLeft = false
  var statistics = ReceptionStatistics()
  var missing: MissingPackets
  private var numbers = SequenceUnwrapper()
  private var timestamps = TimestampUnwrapper()

  init(policy: NackPolicy) { missing = MissingPackets(policy: policy) }

  /// Returns: whether the packet has been sent again.
  @_noLocks
  mutating func receive(_ header: RTPHeader, roundTripNanoseconds: Int?, nowNanoseconds: Int) -> Bool {
    if ssrc != header.ssrc {
      ssrc = header.ssrc
      hasLeft = false
      statistics = ReceptionStatistics()
      numbers = SequenceUnwrapper()
      timestamps = TimestampUnwrapper()
      missing.reset()
    }
    // Before it counts: what is sent again says nothing about jitter, and does not take a loss back.
    var ahead = numbers
    let number = ahead.unwrap(header.sequenceNumber)
    var copy = PacketCopy.first
    if missing.isAwaited(number, nowNanoseconds: nowNanoseconds) {
      if missing.receive(number, nowNanoseconds: nowNanoseconds, roundTripNanoseconds: roundTripNanoseconds) {
        return true
      }
    } else {
      copy = missing.receiveCopy(number, nowNanoseconds: nowNanoseconds)
      // Each number counts once at most, and only where the packet itself has come.
      if case .answer = copy { return true }
    }
    switch statistics.receive(
      sequenceNumber: header.sequenceNumber, timestamp: header.timestamp, arrivalNanoseconds: nowNanoseconds)
    {
    case .probation, .stray: return false
    case .started:
      numbers = SequenceUnwrapper()
      timestamps = TimestampUnwrapper()
      missing.reset()
    case .lateOrDuplicate: if case .copy = copy { statistics.noteCopy() }
    case .inOrder: break
    }
    missing.receive(
      numbers.unwrap(header.sequenceNumber), timestamp: timestamps.unwrap(header.timestamp),
      nowNanoseconds: nowNanoseconds)
    return false
  }

  /// Notes how far the listener is, and gives up what he has passed: also while nothing is missing, since an outage that ends the stream leaves
  /// only what was known before it.
  @_noLocks
  mutating func pass(_ position: PlayoutPosition) {
    guard position.ssrc == ssrc else { return }
    var behind = timestamps
    missing.pass(timestamp: behind.unwrap(position.timestamp), atNanoseconds: position.nanoseconds)
  }

  @_noLocks
  mutating func leave() {
    hasLeft = true
    missing.reset()
  }
}
