import MediaStreams

/// Finds out whether payloads come from an Opus sender, which keeps packets at one length for many seconds.
///
/// Payloads encrypted by SRTP have random lengths: two packets in a row agree on theirs once in seven times.
struct PayloadSanityCheck {
  private var sampleCount = 0
  private var count = 0
  private var changes = 0

  private static let fewest = 25

  /// Whether the lengths are random.
  var isNoise: Bool { count >= Self.fewest && 2 * changes > count }

  /// Notes a packet that can be decoded.
  mutating func note(_ info: PayloadInfo) {
    if info.sampleCount != sampleCount { changes += 1 }
    sampleCount = info.sampleCount
    count += 1
  }
}
