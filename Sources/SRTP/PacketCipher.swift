/// Encryption and authentication of the packets under one pair of session keys, in the caller's memory.
///
/// The caller has checked the lengths: `memory` holds a packet, and behind it the bytes that protection adds.
///
/// Thread: one at a time.
protocol PacketCipher: AnyObject {
  /// Encrypts an RTP packet behind its header, and adds the tag.
  func seal(_ memory: UnsafeMutableRawPointer, headerByteCount: Int, byteCount: Int, ssrc: UInt32, index: UInt64)

  /// Checks and decrypts an RTP packet.
  ///
  /// - Parameter byteCount: Bytes with the tag.
  /// - Returns: Whether the tag fits. No plain text is in memory otherwise.
  func open(
    _ memory: UnsafeMutableRawPointer, headerByteCount: Int, byteCount: Int, ssrc: UInt32, index: UInt64
  ) -> Bool

  /// Encrypts RTCP behind its first 8 bytes, and adds the number and the tag.
  func sealRTCP(_ memory: UnsafeMutableRawPointer, byteCount: Int, ssrc: UInt32, index: UInt32)

  /// Checks and decrypts RTCP, as `open` does.
  func openRTCP(_ memory: UnsafeMutableRawPointer, byteCount: Int, ssrc: UInt32, index: UInt32) -> Bool

  /// Offset of the word with RTCP's number in a protected datagram.
  func rtcpIndexOffset(byteCount: Int) -> Int
}

extension PacketCipher {
  /// Bit of the word with RTCP's number that says that the datagram is encrypted.
  static var encryptionBit: UInt32 { 0x8000_0000 }
}
