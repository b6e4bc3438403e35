public import Transport

/// An SRTP session that several owners can name, one of which uses it.
///
/// Thread: one at a time.
public final class PacketProtection {
  private var session: SRTPSession

  /// A session of one direction.
  public init(_ session: consuming SRTPSession) { self.session = session }

  /// Encrypts an RTP or RTCP packet in place. Returns: its bytes now. Throws: as `SRTPSession`.
  func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool) throws(SRTPError) -> Int {
    if isRTCP { return try session.protectRTCP(memory, byteCount: byteCount) }
    return try session.protect(memory, byteCount: byteCount)
  }

  /// Checks and decrypts an RTP or RTCP packet in place. Returns: its bytes now. Throws: as `SRTPSession`.
  func unprotect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool) throws(SRTPError) -> Int {
    if isRTCP { return try session.unprotectRTCP(memory, byteCount: byteCount) }
    return try session.unprotect(memory, byteCount: byteCount)
  }
}
