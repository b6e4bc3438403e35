import RTP

/// Finds out whether an Opus packet carries a coarse copy of the packet before it (LBRR), without decoding it.
///
/// The flag stands in the first bits of the first SILK frame, behind one flag of voice activity for each 20 ms. In
/// stereo, the same bits of the side channel follow those of the middle. Those bits are coded with even chances, so
/// they can be read as they are. Source: RFC 6716, section 4.2.3. Real-time: wait-free.
enum OpusRedundancy {
  /// Returns whether a payload carries a coarse copy of the packet before it.
  ///
  /// - Parameters:
  ///   - payload: bytes of the payload.
  ///   - packet: the same payload, parsed.
  @_noLocks
  static func isCarried(by payload: UnsafeRawBufferPointer, _ packet: OpusPayload) -> Bool {
    if case .celt = packet.mode { return false }
    guard let first = firstFrameByte(payload) else { return false }
    let silkFrames = UInt8(max(1, packet.samplesPerFrame / 960))
    if (first &>> (7 &- silkFrames)) & 1 != 0 { return true }
    return packet.isStereo && (first &>> (6 &- 2 &* silkFrames)) & 1 != 0
  }

  /// Returns the first byte of the first frame of a packet that was checked; nil if that frame is empty.
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
        while offset < payload.count, payload[offset] == 255 { offset &+= 1 }
        offset &+= 1
      }
      if counts & 0x80 != 0 {
        for frame in 1..<max(1, Int(counts & 0x3F)) {
          guard offset < payload.count else { return nil }
          if frame == 1, payload[offset] == 0 { return nil }
          offset &+= payload[offset] < 252 ? 1 : 2
        }
      }
    }
    return offset < payload.count ? payload[offset] : nil
  }
}
