/// What an Opus packet says about itself, checked without decoding it.
///
/// Source: RFC 6716, section 3; the requirements R1 to R7 of section 3.4.
public struct OpusPayload: Hashable, Sendable, BitwiseCopyable {
  /// Which of the codec's layers made the packet.
  public enum Mode: UInt8, Sendable, BitwiseCopyable {
    /// Linear prediction, for speech; this alone and `hybrid` can carry FEC.
    case silk
    /// Both.
    case hybrid
    /// Transform, for music and short delays.
    case celt
  }

  /// How much of the sound a packet holds; the sound of `silk` is made at twice as many samples a second.
  public enum Bandwidth: UInt8, Sendable, BitwiseCopyable {
    /// 4 kHz.
    case narrow
    /// 6 kHz.
    case medium
    /// 8 kHz.
    case wide
    /// 12 kHz.
    case superWide
    /// 20 kHz.
    case full
  }

  /// Which layers.
  public let mode: Mode
  /// How much of the sound.
  public let bandwidth: Bandwidth
  /// Whether it was encoded in stereo; decoders make of it what they were asked for.
  public let isStereo: Bool
  /// Frames of the codec in the packet, 1...48.
  public let frameCount: Int
  /// Samples per channel in each, at 48 kHz: 120, 240, 480, 960, 1920 or 2880.
  public let samplesPerFrame: Int
  /// Bytes of padding, with those that count it.
  public let paddingByteCount: Int

  /// Samples per channel in the packet, at 48 kHz; what the RTP timestamp goes on by.
  public var samplesPerChannel: Int { @_noLocks get { frameCount &* samplesPerFrame } }

  /// Checks a payload as it came, or was decrypted.
  ///
  /// Real-time: wait-free. Throws: what is wrong with it; the caller counts and drops it.
  @_noLocks
  public init(parsing bytes: UnsafeRawBufferPointer) throws(OpusPayloadError) {
    guard bytes.count > 0, let base = bytes.baseAddress else { throw .empty }
    let toc = byte(base, 0)
    isStereo = toc & 0x04 != 0
    let sizeCode = Int(toc >> 3 & 3)
    if toc & 0x80 != 0 {
      mode = .celt
      switch toc >> 5 & 3 {
      case 0: bandwidth = .narrow
      case 1: bandwidth = .wide
      case 2: bandwidth = .superWide
      default: bandwidth = .full
      }
      samplesPerFrame = 120 << sizeCode
    } else if toc & 0x60 == 0x60 {
      mode = .hybrid
      bandwidth = toc & 0x10 != 0 ? .full : .superWide
      samplesPerFrame = toc & 0x08 != 0 ? 960 : 480
    } else {
      mode = .silk
      switch toc >> 5 & 3 {
      case 0: bandwidth = .narrow
      case 1: bandwidth = .medium
      default: bandwidth = .wide
      }
      samplesPerFrame = sizeCode == 3 ? 2880 : 480 << sizeCode
    }
    var remaining = OpusFrameBytes(position: 1, count: bytes.count &- 1)
    switch toc & 3 {
    case 0: frameCount = 1
    case 1:
      frameCount = 2
      guard remaining.count % 2 == 0 else { throw .unequalFrames }
      remaining.count = remaining.count / 2
    case 2:
      frameCount = 2
      try remaining.takeSizedFrame(base)
    default:
      guard remaining.count > 0 else { throw .truncated }
      let description = byte(base, 1)
      remaining = OpusFrameBytes(position: 2, count: remaining.count &- 1)
      frameCount = Int(description & 0x3F)
      guard frameCount > 0, frameCount &* samplesPerFrame <= 5760 else { throw .duration }
      let padding = description & 0x40 != 0 ? try remaining.takePadding(base) : 0
      paddingByteCount = padding
      if description & 0x80 != 0 {
        for _ in 1..<frameCount { try remaining.takeSizedFrame(base) }
      } else {
        guard remaining.count % frameCount == 0 else { throw .unequalFrames }
        remaining.count = remaining.count / frameCount
      }
      guard remaining.count <= 1275 else { throw .frameSize }
      return
    }
    paddingByteCount = 0
    guard remaining.count <= 1275 else { throw .frameSize }
  }
}

/// What is left of a packet while its frames are counted off.
private struct OpusFrameBytes {
  var position: Int
  var count: Int

  @_noLocks
  init(position: Int, count: Int) {
    self.position = position
    self.count = count
  }

  /// A size of one or two bytes, then as many bytes somewhere behind all sizes.
  @_noLocks
  mutating func takeSizedFrame(_ base: UnsafeRawPointer) throws(OpusPayloadError) {
    guard count > 0 else { throw .truncated }
    var size = Int(byte(base, position))
    var sizeByteCount = 1
    if size >= 252 {
      guard count > 1 else { throw .truncated }
      size = size &+ 4 &* Int(byte(base, position &+ 1))
      sizeByteCount = 2
    }
    position = position &+ sizeByteCount
    count = count &- sizeByteCount &- size
    guard count >= 0 else { throw .truncated }
  }

  /// Returns: bytes of padding, with those that count it.
  @_noLocks
  mutating func takePadding(_ base: UnsafeRawPointer) throws(OpusPayloadError) -> Int {
    var padding = 0
    while true {
      guard count > 0 else { throw .truncated }
      let value = Int(byte(base, position))
      position = position &+ 1
      // 255 says 254 and that there is more.
      let bytes = value == 255 ? 254 : value
      count = count &- 1 &- bytes
      padding = padding &+ 1 &+ bytes
      if value != 255 { break }
    }
    guard count >= 0 else { throw .truncated }
    return padding
  }
}
