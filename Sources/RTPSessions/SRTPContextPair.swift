public import RTP

/// SRTP of both directions between two parties: what one sends, and what the other does.
///
///     sender    ═ RTP and its reports, under the stream's key ══════════════▶   receiver
///               ◀═ reports and requests, under the key of the way back ════
///
/// Where one key serves both ways, no keystream repeats as long as no two parties have the same SSRC: a session that
/// receives takes another SSRC when the sender has its own. A stream that is begun anew under the same key needs
/// another SSRC too, as its numbers may come again (RFC 7714, section 10): one by chance, or a new key.
///
/// Thread: one at a time.
///
/// Source: RFC 3711, sections 4.1.1 and 9.1; RFC 7714, section 8.1; RFC 4568: each side sends under the key that it has
/// named.
public final class SRTPContextPair {
  private var outbound: SRTPSession
  private var inbound: SRTPSession

  /// Sessions of both directions; their keys may be one. Throws: `library`.
  ///
  /// - Parameters:
  ///   - sending: protects what is sent.
  ///   - receiving: opens what comes.
  public init(sending: borrowing SRTPKey, receiving: borrowing SRTPKey) throws(SRTPError) {
    outbound = try SRTPSession(sending, .outbound)
    inbound = try SRTPSession(receiving, .inbound)
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
  /// Encrypts an RTP or RTCP packet in place, where anything does. Returns: its bytes now. Throws: as `SRTPSession`.
  func protect(
    _ memory: UnsafeMutableRawBufferPointer, byteCount: Int, isRTCP: Bool
  ) throws(SRTPError) -> UnsafeRawBufferPointer {
    var count = byteCount
    if let self { count = try self.protect(memory, byteCount: count, isRTCP: isRTCP) }
    return UnsafeRawBufferPointer(rebasing: memory[..<count])
  }

  /// Checks and decrypts an RTP or RTCP packet, copied into `memory`. Returns: its bytes now. Throws: as `SRTPSession`.
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
