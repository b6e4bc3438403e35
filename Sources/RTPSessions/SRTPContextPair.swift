import RTP
public import SRTP

/// SRTP of both directions between two parties: one for the packets of each.
///
///     sender    ═ RTP and its reports, under the stream's key ══════════════▶   receiver
///               ◀═ reports and requests, under the key of the reverse path ══
///
/// If one key serves both directions, no keystream repeats as long as no two parties have the same SSRC. A receiving
/// session takes another SSRC if the sender has its own. A stream that restarts under the same key may repeat its
/// numbers (RFC 7714, section 10). So it needs another, random SSRC, too, or a new key.
///
/// Thread: one at a time.
///
/// Source: RFC 3711, sections 4.1.1 and 9.1; RFC 7714, section 8.1; RFC 4568: each side sends under the key that it has
/// named.
public final class SRTPContextPair {
  private var outbound: SRTPSession
  private var inbound: SRTPSession

  /// Creates the sessions of both directions; their keys may be one.
  ///
  /// - Parameters:
  ///   - sending: key that protects sent packets.
  ///   - receiving: key that opens received packets.
  public init(sending: borrowing SRTPKey, receiving: borrowing SRTPKey) {
    outbound = SRTPSession(sending, .outbound)
    inbound = SRTPSession(receiving, .inbound)
  }

  fileprivate func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool) throws(SRTPError)
    -> Int
  {
    if isRTCP { return try outbound.protectRTCP(memory, byteCount: byteCount) }
    return try outbound.protect(memory, byteCount: byteCount)
  }

  fileprivate func unprotect(
    _ datagram: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer, isRTCP: Bool
  ) throws(SRTPError) -> Int {
    guard isRTCP else { return try inbound.unprotect(datagram, into: memory) }
    memory.copyMemory(from: datagram)
    return try inbound.unprotectRTCP(memory, byteCount: datagram.count)
  }
}

extension SRTPContextPair? {
  /// Encrypts an RTP or RTCP packet in place, if there is SRTP.
  ///
  /// - Returns: bytes of the packet now.
  /// - Throws: the errors of `SRTPSession`.
  func protect(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool
  ) throws(SRTPError) -> UnsafeRawBufferPointer {
    var count = byteCount
    if let self { count = try self.protect(memory, byteCount: count, isRTCP: isRTCP) }
    return UnsafeRawBufferPointer(rebasing: memory[..<count])
  }

  /// Checks and decrypts an RTP or RTCP packet, copied into `memory`.
  ///
  /// - Returns: bytes of the packet now.
  /// - Throws: the errors of `SRTPSession`.
  func unprotect(
    _ datagram: UnsafeRawBufferPointer, in memory: UnsafeMutableRawBufferPointer, isRTCP: Bool
  ) throws(SRTPError) -> UnsafeRawBufferPointer {
    var count = datagram.count
    if let self {
      count = try self.unprotect(datagram, into: memory, isRTCP: isRTCP)
    } else {
      memory.copyMemory(from: datagram)
    }
    return UnsafeRawBufferPointer(rebasing: memory[..<count])
  }
}
