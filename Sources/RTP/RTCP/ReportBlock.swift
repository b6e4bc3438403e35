/// Reception of one source.
///
/// Source: RFC 3550, section 6.4.1.
public struct ReportBlock: Hashable, Sendable, BitwiseCopyable {
  static var byteCount: Int { @_noLocks get { 24 } }

  /// Synchronization source of the received packets.
  public var ssrc: UInt32
  /// Packets lost since the last report, in 1/256 of those expected.
  public var fractionLost: UInt8
  /// Packets lost since the beginning, minus duplicates; -2^23 to 2^23 - 1.
  public var cumulativeLost: Int
  /// Highest sequence number received, with the number of its wraps in the upper 16 bits.
  public var extendedHighestSequenceNumber: UInt32
  /// Jitter of the packets, in units of the RTP timestamps.
  public var jitter: UInt32
  /// Middle 32 bits of the NTP timestamp in the last sender report received; 0 if none.
  public var lastSenderReport: UInt32
  /// Time between the last sender report's arrival and this block's departure, in 1/65536 s.
  public var delaySinceLastSenderReport: UInt32

  /// Creates a block from its fields.
  @_noLocks
  public init(
    ssrc: UInt32, fractionLost: UInt8, cumulativeLost: Int, extendedHighestSequenceNumber: UInt32, jitter: UInt32,
    lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
  ) {
    self.ssrc = ssrc
    self.fractionLost = fractionLost
    self.cumulativeLost = cumulativeLost
    self.extendedHighestSequenceNumber = extendedHighestSequenceNumber
    self.jitter = jitter
    self.lastSenderReport = lastSenderReport
    self.delaySinceLastSenderReport = delaySinceLastSenderReport
  }

  /// Computes the round trip to the receiver without the receiver's delay, at the sender that gets this block.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: Nanoseconds, to 1/65536 s; 0 if rounding or a clock that was set gives less; nil if the receiver has
  ///   had no report yet.
  @_noLocks
  public func roundTripNanoseconds(arrival: NTPTimestamp) -> Int? {
    guard lastSenderReport != 0 else { return nil }
    return NTPTimestamp.roundTripNanoseconds(
      arrival: arrival, reference: lastSenderReport, delay: delaySinceLastSenderReport)
  }
}
