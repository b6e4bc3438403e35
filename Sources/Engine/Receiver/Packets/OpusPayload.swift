/// What an Opus packet says about itself before it is decoded.
///
/// Source: RFC 6716, sections 3.1, 3.2 and 4.2.3. Real-time: wait-free. Every byte is looked at only where it is.
struct OpusPayload: BitwiseCopyable {
  /// Samples per channel at 48 kHz, 120 to 5760.
  let sampleCount: Int
  /// True where it carries a coarse copy of the packet before it (LBRR).
  let hasRedundancy: Bool
  /// True where it says no more than that the sender has fallen silent (DTX).
  let isDiscontinued: Bool

  /// Nil when the packet breaks the format or is longer than 120 ms.
  @_noLocks
  init?(_ payload: UnsafeRawBufferPointer) {
    do throws(OpusError) {
      sampleCount = try OpusDecoder.sampleCount(of: payload)
    } catch {
      return nil
    }
    // RFC 6716 lets a packet of one or two bytes hold no audio at all; encoders send them to enter DTX.
    isDiscontinued = payload.count <= 2
    hasRedundancy = OpusPayload.redundancy(payload)
  }

  /// Looks for the LBRR flag, which stands behind one flag of voice activity for each 20 ms in the first bits of the
  /// first SILK frame; stereo has the same bits of the side channel behind those of the middle.
  @_noLocks
  private static func redundancy(_ payload: UnsafeRawBufferPointer) -> Bool {
    guard let first = firstFrameByte(payload) else { return false }
    let toc = payload[0]
    // CELT alone has no LBRR.
    guard toc & 0x80 == 0 else { return false }
    // SILK: 10, 20, 40, 60 ms in bits 3 and 4; hybrid: 10, 20 ms in bit 3.
    let isHybrid = toc & 0x60 == 0x60
    let duration = isHybrid ? (toc &>> 3) & 1 : (toc &>> 3) & 3
    let silkFrames: UInt8 = duration == 3 ? 3 : duration == 2 ? 2 : 1
    if (first &>> (7 &- silkFrames)) & 1 != 0 { return true }
    let isStereo = toc & 4 != 0
    return isStereo && (first &>> (6 &- 2 &* silkFrames)) & 1 != 0
  }

  /// The first byte of the first frame; nil when that is empty or lies beyond the packet.
  @_noLocks
  private static func firstFrameByte(_ payload: UnsafeRawBufferPointer) -> UInt8? {
    guard payload.count >= 2 else { return nil }
    var offset = 1
    switch payload[0] & 3 {
    case 0, 1: break
    case 2:
      if payload[1] == 0 { return nil }
      offset = payload[1] < 252 ? 2 : 3
    default:
      let counts = payload[1]
      offset = 2
      if counts & 0x40 != 0 {
        // The lengths of the padding: 255 is 254 and another length.
        while offset < payload.count, payload[offset] == 255 { offset &+= 1 }
        offset &+= 1
      }
      if counts & 0x80 != 0 {
        let frames = Int(counts & 0x3F)
        for _ in 1..<max(1, frames) {
          guard offset < payload.count else { return nil }
          offset &+= payload[offset] < 252 ? 1 : 2
        }
      }
    }
    return offset < payload.count ? payload[offset] : nil
  }
}
