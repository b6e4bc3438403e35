/// One packet of a datagram that `RTCPReader` has checked; it borrows the datagram's bytes.
///
/// Each accessor throws `otherType` for a packet of another type.
public struct RTCPPacketView {
  /// Type of the packet.
  public let type: RTCPPacketType
  /// Five bits with the count of reports or sources, or the kind of feedback.
  public let count: Int
  /// The packet with its header of four bytes, without padding.
  public let bytes: UnsafeRawBufferPointer
  private let base: UnsafeRawPointer

  /// Creates a view of at least the header's four bytes.
  @_noLocks
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 4, let base = bytes.baseAddress else { preconditionFailure("not checked by a reader") }
    self.bytes = bytes
    self.base = base
    type = RTCPPacketType(code: byte(base, 1))
    count = Int(byte(base, 0) & 0x1F)
  }

  /// Returns the source of the packet: the first word behind the header, for every type that has one.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `reportBlocks`.
  @_noLocks
  public func senderSSRC() throws(RTCPError) -> UInt32 { try word(4, else: .reportBlocks) }

  /// Returns the sender's part of a sender report.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`, `reportBlocks`.
  @_noLocks
  public func senderReport() throws(RTCPError) -> SenderReport {
    guard case .senderReport = type else { throw .otherType }
    guard bytes.count >= 4 &+ SenderReport.byteCount else { throw .reportBlocks }
    return SenderReport(
      ssrc: bigEndian32(base, 4), ntp: NTPTimestamp(rawValue: bigEndian64(base, 8)),
      rtpTimestamp: bigEndian32(base, 16), packetCount: bigEndian32(base, 20), octetCount: bigEndian32(base, 24))
  }

  /// Returns one of the `count` report blocks of a sender or receiver report.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`; `reportBlocks`, also for an index beyond the count.
  @_noLocks
  public func reportBlock(_ index: Int) throws(RTCPError) -> ReportBlock {
    var offset = 0
    switch type {
    case .senderReport: offset = 4 &+ SenderReport.byteCount
    case .receiverReport: offset = 8
    default: throw .otherType
    }
    guard index >= 0, index < count else { throw .reportBlocks }
    offset = offset &+ index &* ReportBlock.byteCount
    guard offset &+ ReportBlock.byteCount <= bytes.count else { throw .reportBlocks }
    // The upper 24 bits are a number with a sign: duplicates can outweigh losses.
    let lost = Int32(bitPattern: bigEndian32(base, offset &+ 4) << 8) >> 8
    return ReportBlock(
      ssrc: bigEndian32(base, offset), fractionLost: byte(base, offset &+ 4), cumulativeLost: Int(lost),
      extendedHighestSequenceNumber: bigEndian32(base, offset &+ 8), jitter: bigEndian32(base, offset &+ 12),
      lastSenderReport: bigEndian32(base, offset &+ 16), delaySinceLastSenderReport: bigEndian32(base, offset &+ 20))
  }

  /// Returns one of the `count` sources that leave.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`; `reportBlocks`, also for an index beyond the count.
  @_noLocks
  public func leavingSSRC(_ index: Int) throws(RTCPError) -> UInt32 {
    guard case .bye = type else { throw .otherType }
    guard index >= 0, index < count else { throw .reportBlocks }
    return try word(4 &+ 4 &* index, else: .reportBlocks)
  }

  /// Returns the reason in a BYE, as bytes of UTF-8 within the packet; nil without one.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`, `bye`.
  @_noLocks
  public func leavingReason() throws(RTCPError) -> UnsafeRawBufferPointer? {
    guard case .bye = type else { throw .otherType }
    let offset = 4 &+ 4 &* count
    guard offset < bytes.count else {
      guard offset == bytes.count else { throw .reportBlocks }
      return nil
    }
    let length = Int(byte(base, offset))
    guard offset &+ 1 &+ length <= bytes.count else { throw .bye }
    return UnsafeRawBufferPointer(start: base + offset + 1, count: length)
  }

  @_noLocks
  func word(_ offset: Int, else error: RTCPError) throws(RTCPError) -> UInt32 {
    guard offset &+ 4 <= bytes.count else { throw error }
    return bigEndian32(base, offset)
  }
}
