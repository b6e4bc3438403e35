import RTP

/// Packets of a publisher that did not reach the relay, and the requests for them.
final class UplinkLosses {
  /// Round trip while none is measured, in nanoseconds.
  static let assumedRoundTripNanoseconds = 50_000_000
  /// Delay of the listeners' buffers, which the relay does not know, in nanoseconds.
  static let targetDelayNanoseconds = 200_000_000
  private var tracker = NackTracker()

  func receive(_ sequence: Int, nowNanoseconds: Int, roundTripNanoseconds: Int?) {
    tracker.receive(
      sequence, nowNanoseconds: nowNanoseconds,
      roundTripNanoseconds: roundTripNanoseconds ?? Self.assumedRoundTripNanoseconds)
  }

  /// Whether a packet is missing.
  var hasMissing: Bool { tracker.count > 0 }

  func nextPair(nowNanoseconds: Int, roundTripNanoseconds: Int?) -> NackPair? {
    tracker.nextPair(
      nowNanoseconds: nowNanoseconds, roundTripNanoseconds: roundTripNanoseconds ?? Self.assumedRoundTripNanoseconds,
      targetDelayNanoseconds: Self.targetDelayNanoseconds)
  }

  func nextDeadlineNanoseconds(roundTripNanoseconds: Int?) -> Int? {
    guard tracker.count > 0 else { return nil }
    return tracker.nextDeadlineNanoseconds(
      roundTripNanoseconds: roundTripNanoseconds ?? Self.assumedRoundTripNanoseconds,
      targetDelayNanoseconds: Self.targetDelayNanoseconds)
  }

  func reset() { tracker.reset() }
}
