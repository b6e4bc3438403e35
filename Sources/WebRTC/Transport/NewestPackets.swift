import RTP

/// Finds the packets with the highest index of their source so far.
///
/// Such a packet proves the address from which it comes: nobody can have repeated it. An older one, though authentic,
/// may have been held back and sent from elsewhere.
///
/// Source: RFC 3711, sections 3.3.1 and 3.4; RFC 7714, section 9.
struct NewestPackets {
  /// Sources of a peer; further ones prove nothing, so that they take no memory.
  private static let capacity = 16
  private let suite: SRTPSuite
  private var sequenceNumbers: [UInt32: UInt16] = [:]
  private var indices: [UInt32: UInt32] = [:]

  init(_ suite: SRTPSuite) { self.suite = suite }

  /// Position of a packet among those of its source.
  enum Position {
    case rtp(ssrc: UInt32, sequenceNumber: UInt16)
    case rtcp(ssrc: UInt32, index: UInt32)
  }

  /// Reads the position of a packet before its decryption; nil if it is too short.
  func position(of packet: UnsafeRawBufferPointer, isRTCP: Bool) -> Position? {
    func word(_ offset: Int) -> UInt32 {
      UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    guard packet.count >= 12 + suite.rtcpOverhead else { return nil }
    guard isRTCP else { return .rtp(ssrc: word(8), sequenceNumber: UInt16(truncatingIfNeeded: word(0))) }
    // The tag of AES-GCM lies before the index, that of HMAC-SHA1 behind it.
    let tagByteCount = suite == .aesCM128HMACSHA1_80 ? suite.rtpOverhead : 0
    return .rtcp(ssrc: word(4), index: word(packet.count - tagByteCount - 4) & 0x7FFF_FFFF)
  }

  /// Notes an authentic packet.
  ///
  /// - Returns: Whether it is the newest of its source.
  mutating func note(_ position: Position) -> Bool {
    switch position {
    case .rtp(let ssrc, let number):
      guard let newest = sequenceNumbers[ssrc] else {
        guard sequenceNumbers.count < Self.capacity else { return false }
        sequenceNumbers[ssrc] = number
        return true
      }
      guard Int16(truncatingIfNeeded: Int(number) - Int(newest)) > 0 else { return false }
      sequenceNumbers[ssrc] = number
    case .rtcp(let ssrc, let index):
      guard let newest = indices[ssrc] else {
        guard indices.count < Self.capacity else { return false }
        indices[ssrc] = index
        return true
      }
      guard index > newest else { return false }
      indices[ssrc] = index
    }
    return true
  }
}
