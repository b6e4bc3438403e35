import MediaStreams

/// Finds out whether payloads are what a sender of Opus makes, whose packets are of one length for many seconds.
///
/// What SRTP has encrypted has lengths by chance: two packets in a row agree on theirs once in seven times.
struct PayloadSanityCheck {
  private var sampleCount = 0
  private var count = 0
  private var changes = 0

  private static let fewest = 25

  /// Whether lengths are those of chance.
  var isNoise: Bool { count >= Self.fewest && 2 * changes > count }

  /// Notes a packet that can be decoded.
  mutating func note(_ info: PayloadInfo) {
    if info.sampleCount != sampleCount { changes += 1 }
    sampleCount = info.sampleCount
    count += 1
  }
}
