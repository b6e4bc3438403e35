import RTP

/// Packets of a publisher that did not reach the relay, and the requests for them.
final class UplinkLosses {
  /// Round trip while none is measured, in nanoseconds.
  static let assumedRoundTripNanoseconds = 50_000_000
  /// Delay of the listeners' buffers, which the relay does not know, in nanoseconds.
  static let targetDelayNanoseconds = 200_000_000
  private var tracker = NackTracker()

  /// Takes a packet.
  ///
  /// - Returns: Whether it seems to be the answer to a request. If it was only late, the answer follows, and
  ///   `receiveAgain` tells.
  func receive(_ sequence: Int, nowNanoseconds: Int, roundTripNanoseconds: Int?) -> Bool {
    tracker.receive(
      sequence, nowNanoseconds: nowNanoseconds, roundTripNanoseconds: roundTripNanoseconds)
  }

  /// Takes another copy of a packet.
  ///
  /// - Returns: Whether the first copy was not the answer that it seemed to be: the packet was only late.
  func receiveAgain(_ sequence: Int, nowNanoseconds: Int) -> Bool {
    if case .original = tracker.receiveCopy(sequence, nowNanoseconds: nowNanoseconds) { true } else { false }
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
