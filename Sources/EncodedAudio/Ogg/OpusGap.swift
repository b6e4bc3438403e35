import RTP

/// Packets without a frame's bytes, which keep the length of a gap: a decoder conceals there as for a lost packet.
///
/// Source: RFC 7845, section 4.1: the configuration of the packet before it stays, as far as its durations allow.
struct OpusGap {
  /// Shortest frame, in samples of 48 kHz; gaps are multiples of it.
  static let shortestFrame = 120
  /// Samples of the longest packet.
  private static let longestPacket = 5_760
  private static let samplesOf20Milliseconds = 960
  private static let samplesOf10Milliseconds = 480

  /// First byte of a packet (RFC 6716, section 3.1).
  private let tableOfContents: UInt8

  /// - Parameter packet: Packet before the gap; nil at the beginning: fullband frames of CELT, in mono.
  init(after packet: [UInt8]?) { tableOfContents = packet?.first ?? 0xFC }

  /// Samples of `silence`.
  static let silenceSampleCount = 960

  /// Packet of digital silence, behind which frames without bytes are silent, too: the flag of CELT for silence is set
  /// (RFC 6716, section 4.3).
  var silence: [UInt8] { [0xF8 | tableOfContents & 4, 0xFF, 0xFE] }

  /// Returns the next packet of a gap.
  ///
  /// - Parameter sampleCount: Samples that are left, a multiple of 120 above 0.
  func nextPacket(of sampleCount: Int) -> (bytes: [UInt8], sampleCount: Int) {
    precondition(sampleCount >= Self.shortestFrame && sampleCount % Self.shortestFrame == 0, "a gap has whole frames")
    if sampleCount >= Self.samplesOf20Milliseconds {
      let frameCount = min(sampleCount, Self.longestPacket) / Self.samplesOf20Milliseconds
      return make(configuration(isLong: true), frameCount, Self.samplesOf20Milliseconds)
    }
    if sampleCount >= Self.samplesOf10Milliseconds {
      return make(configuration(isLong: false), 1, Self.samplesOf10Milliseconds)
    }
    // Only CELT has shorter frames.
    let isPair = sampleCount >= 2 * Self.shortestFrame
    return make(celt | (isPair ? 1 : 0), 1, isPair ? 2 * Self.shortestFrame : Self.shortestFrame)
  }

  /// Configuration with frames of 20 or of 10 ms, with the layers and the bandwidth of the packet before.
  private func configuration(isLong: Bool) -> UInt8 {
    let old = tableOfContents >> 3
    switch old {
    case 0..<12: return old & ~3 | (isLong ? 1 : 0)
    case 12..<16: return old & ~1 | (isLong ? 1 : 0)
    default: return old & ~3 | (isLong ? 3 : 2)
    }
  }

  /// Shortest configuration of CELT with the bandwidth of the packet before.
  private var celt: UInt8 {
    switch tableOfContents >> 3 {
    case 0..<4: 16
    case 4..<12: 20
    case 12..<14: 24
    case 14..<16: 28
    case let old: old & ~3
    }
  }

  private func make(_ configuration: UInt8, _ frameCount: Int, _ frameSampleCount: Int) -> ([UInt8], Int) {
    let first = configuration << 3 | tableOfContents & 4
    // Code 0 is one frame; code 3 with a count is several of equal length.
    let bytes: [UInt8] = frameCount == 1 ? [first] : [first | 3, UInt8(frameCount)]
    return (bytes, frameCount * frameSampleCount)
  }
}
