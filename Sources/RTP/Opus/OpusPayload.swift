/// Properties of an Opus packet, checked without decoding it.
///
/// Source: RFC 6716, section 3; the requirements R1 to R7 of section 3.4.
public struct OpusPayload: Hashable, Sendable, BitwiseCopyable {
  /// Layers of the codec that made a packet.
  public enum Mode: UInt8, Sendable, BitwiseCopyable {
    /// Linear prediction, for speech; only this and `hybrid` can carry FEC.
    case silk
    /// Linear prediction and transform together.
    case hybrid
    /// Transform, for music and short delays.
    case celt
  }

  /// Audio bandwidth of a packet; the sample rate of `silk` is twice as high.
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

  /// Layers of the codec that made the packet.
  public let mode: Mode
  /// Audio bandwidth of the packet.
  public let bandwidth: Bandwidth
  /// Whether the packet was encoded in stereo; decoders return the requested number of channels.
  public let isStereo: Bool
  /// Frames of the codec in the packet, 1...48.
  public let frameCount: Int
  /// Samples per channel in each frame, at 48 kHz: 120, 240, 480, 960, 1920 or 2880.
  public let samplesPerFrame: Int
  /// Bytes of padding, including those that count it.
  public let paddingByteCount: Int

  /// Samples per channel in the packet, at 48 kHz; the step of the RTP timestamp.
  public var samplesPerChannel: Int { @_noLocks get { frameCount &* samplesPerFrame } }

  /// Checks a received or decrypted payload.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `OpusPayloadError`; the caller counts and drops the payload.
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

/// Remaining bytes of a packet while its frames are counted.
private struct OpusFrameBytes {
  var position: Int
  var count: Int

  @_noLocks
  init(position: Int, count: Int) {
    self.position = position
    self.count = count
  }

  /// Takes a size of one or two bytes, and as many bytes somewhere behind all sizes.
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

  /// Takes the padding.
  ///
  /// - Returns: Bytes of padding, including those that count it.
  @_noLocks
  mutating func takePadding(_ base: UnsafeRawPointer) throws(OpusPayloadError) -> Int {
    var padding = 0
    while true {
      guard count > 0 else { throw .truncated }
      let value = Int(byte(base, position))
      position = position &+ 1
      // 255 means 254 bytes and a further count.
      let bytes = value == 255 ? 254 : value
      count = count &- 1 &- bytes
      padding = padding &+ 1 &+ bytes
      if value != 255 { break }
    }
    guard count >= 0 else { throw .truncated }
    return padding
  }
}
