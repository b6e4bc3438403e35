internal import Platform

/// Request without a response yet, with the times of its retransmissions.
///
///     0 ─ RTO ─ 2 RTO ─ 4 RTO ─ ... 7 transmissions ─ 16 RTO ─▶ expired
///
/// Source: RFC 8489, section 6.2.1.
struct ICETransaction {
  /// Purpose of the request.
  enum Purpose {
    case check
    /// A check with USE-CANDIDATE.
    case nomination
    /// A check of the selected address, sent once.
    case consent
  }

  let id: STUNTransactionID
  let purpose: Purpose
  /// Index of the pair.
  let pair: Int
  let datagram: ICEDatagram
  /// Whether the request claimed the controlling role.
  let isControlling: Bool
  /// Time of the next transmission, or of the end.
  private(set) var deadlineNanoseconds: Int
  private var intervalNanoseconds: Int
  private var transmissionCount = 1

  /// Creates a transaction of a request that is sent now.
  init(
    _ id: STUNTransactionID, _ purpose: Purpose, pair: Int, datagram: ICEDatagram, isControlling: Bool,
    nowNanoseconds: Int, intervalNanoseconds: Int
  ) {
    self.id = id
    self.purpose = purpose
    self.pair = pair
    self.datagram = datagram
    self.isControlling = isControlling
    self.intervalNanoseconds = intervalNanoseconds
    deadlineNanoseconds =
      nowNanoseconds &+ (purpose == .consent ? ICETimes.consent : intervalNanoseconds)
  }

  /// Result of a deadline.
  enum Expiry {
    case retransmit
    case end
  }

  /// Sets the next deadline at the present one.
  mutating func expire(nowNanoseconds: Int) -> Expiry {
    guard purpose != .consent, transmissionCount < ICETimes.transmissionCount else { return .end }
    transmissionCount += 1
    intervalNanoseconds *= 2
    let isLast = transmissionCount == ICETimes.transmissionCount
    // Intervals double: the last one would be 64 times the first one.
    let wait = isLast ? intervalNanoseconds / 64 * ICETimes.lastIntervalFactor : intervalNanoseconds
    deadlineNanoseconds = nowNanoseconds &+ wait
    return .retransmit
  }

  /// Stops retransmissions; a response to the earlier ones still counts for the rest of the time.
  mutating func stopRetransmission() { transmissionCount = ICETimes.transmissionCount }
}
