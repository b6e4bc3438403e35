/// Data for reports about local packets.
///
/// Real-time: wait-free.
struct LocalSource: BitwiseCopyable {
  private var packetCount = 0
  private var octetCount = 0
  private var timestamp: UInt32 = 0
  private var nanoseconds = 0
  /// Packets at the last two reports. A source that has sent none since the one before the last is not a sender (RFC
  /// 3550, section 6.4).
  private var reported = (before: 0, last: 0)

  private let clockRate: Int

  /// Creates data before the first packet, of a stream with `clockRate` units of the timestamp in a second.
  @_noLocks
  init(clockRate: Int) { self.clockRate = clockRate }

  @_noLocks
  mutating func sent(timestamp: UInt32, payloadByteCount: Int, nowNanoseconds: Int) {
    packetCount = packetCount &+ 1
    octetCount = octetCount &+ payloadByteCount
    self.timestamp = timestamp
    nanoseconds = nowNanoseconds
  }

  /// Whether packets have been sent since the report before the last.
  var isSending: Bool { @_noLocks get { packetCount > reported.before } }

  /// Returns the report to send now; nil for a source that sends nothing.
  @_noLocks
  mutating func makeReport(ssrc: UInt32, ntp: NTPTimestamp, now: Int) -> SenderReport? {
    let isSending = isSending
    reported = (reported.last, packetCount)
    guard isSending else { return nil }
    let passed = now &- nanoseconds
    let elapsed =
      passed / 1_000_000_000 &* clockRate &+ passed % 1_000_000_000 &* clockRate / 1_000_000_000
    return SenderReport(
      ssrc: ssrc, ntp: ntp, rtpTimestamp: timestamp &+ UInt32(truncatingIfNeeded: elapsed),
      packetCount: UInt32(truncatingIfNeeded: packetCount), octetCount: UInt32(truncatingIfNeeded: octetCount))
  }

  /// Converts a time in RTP's units to nanoseconds.
  @_noLocks
  func nanoseconds(_ units: Int) -> Int { units &* 1_000_000_000 / clockRate }
}
