import MediaStreams
import RTP

/// Finds out whether payloads come from an Opus sender, which keeps packets at one length for many seconds.
///
/// Payloads encrypted by SRTP have random lengths: two packets in a row agree on theirs once in seven times. Samples
/// have more bytes, or other timestamps.
struct PayloadSanityCheck {
  private var sampleCount = 0
  private var newest: (sequenceNumber: UInt16, timestamp: UInt32, byteCount: Int)?
  private var count = 0
  private var changes = 0
  private var mistakes = 0

  private static let fewest = 25

  /// Whether the lengths are random, or those of samples.
  var isNoise: Bool { count >= Self.fewest && 2 * max(changes, mistakes) > count }

  /// Notes a packet that can be decoded.
  mutating func note(_ info: PayloadInfo, _ packet: RTPPacketView) {
    let header = packet.header
    if info.sampleCount != sampleCount { changes += 1 }
    if let newest, newest.sequenceNumber &+ 1 == header.sequenceNumber,
      !OpusPlausibility.accepts(
        sampleCount: sampleCount, byteCount: newest.byteCount, duration: header.timestamp &- newest.timestamp)
    {
      mistakes += 1
    }
    newest = (header.sequenceNumber, header.timestamp, packet.payloadByteCount)
    sampleCount = info.sampleCount
    count += 1
  }
}
