/// The fixed part of an RTP header.
///
/// Source: RFC 3550, section 5.1.
public struct RTPHeader: Hashable, Sendable, BitwiseCopyable {
  /// Bytes of the fixed part.
  public static var byteCount: Int { @_noLocks get { 12 } }

  /// Whether the packet is the first after a silence, for audio (RFC 3551, section 4.1).
  public var marker: Bool
  /// Payload type, 0...127.
  public var payloadType: UInt8
  /// Sequence number, which counts packets and wraps at 65536.
  public var sequenceNumber: UInt16
  /// Timestamp, which counts samples of the payload's clock and wraps at 2^32.
  public var timestamp: UInt32
  /// Synchronization source.
  public var ssrc: UInt32

  /// Creates a header from its fields. Traps if the payload type does not fit into seven bits.
  @_noLocks
  public init(marker: Bool, payloadType: UInt8, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32) {
    precondition(payloadType < 128, "an RTP payload type has seven bits")
    self.marker = marker
    self.payloadType = payloadType
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.ssrc = ssrc
  }

  /// Reads the fixed part at the beginning of a packet; `RTPPacketView` reads the parts that may follow.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `truncated`, `version`.
  @_noLocks
  public init(parsing bytes: UnsafeRawBufferPointer) throws(RTPError) {
    guard bytes.count >= RTPHeader.byteCount, let base = bytes.baseAddress else { throw .truncated }
    guard byte(base, 0) >> 6 == 2 else { throw .version }
    marker = byte(base, 1) & 0x80 != 0
    payloadType = byte(base, 1) & 0x7F
    sequenceNumber = bigEndian16(base, 2)
    timestamp = bigEndian32(base, 4)
    ssrc = bigEndian32(base, 8)
  }

  /// Writes version 2 and the fields, without padding, extension and contributing sources.
  ///
  /// Real-time: wait-free.
  ///
  /// - Returns: Offset of the payload, `byteCount`.
  /// - Throws: `bufferTooShort`.
  @_noLocks @discardableResult
  public func write(to bytes: UnsafeMutableRawBufferPointer) throws(RTPError) -> Int {
    guard bytes.count >= RTPHeader.byteCount, let base = bytes.baseAddress else { throw .bufferTooShort }
    guard payloadType < 128 else { throw .payloadType }
    base.storeBytes(of: 0x80, as: UInt8.self)
    base.storeBytes(of: payloadType | (marker ? 0x80 : 0), toByteOffset: 1, as: UInt8.self)
    base.storeBytes(of: sequenceNumber.bigEndian, toByteOffset: 2, as: UInt16.self)
    base.storeBytes(of: timestamp.bigEndian, toByteOffset: 4, as: UInt32.self)
    base.storeBytes(of: ssrc.bigEndian, toByteOffset: 8, as: UInt32.self)
    return RTPHeader.byteCount
  }
}
