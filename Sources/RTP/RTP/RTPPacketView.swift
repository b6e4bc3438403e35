/// Positions of the parts of an RTP packet. It holds no bytes, only offsets that have been checked against the packet's
/// length.
///
///     fixed header 12 | contributing sources 4 each | extension 4 + 4 each | payload | padding
///
/// Source: RFC 3550, sections 5.1 and 5.3.1.
public struct RTPPacketView: Hashable, Sendable, BitwiseCopyable {
  /// The fixed header.
  public let header: RTPHeader
  /// Number of contributing sources, 0...15.
  public let contributingSourceCount: Int
  /// The 16 bits that identify the header extension; nil without one.
  public let extensionProfile: UInt16?
  /// Offset of the header extension's data, behind its own four bytes of header.
  public let extensionOffset: Int
  /// Bytes of the header extension's data, a multiple of 4; 0 without one.
  public let extensionByteCount: Int
  /// Offset of the payload.
  public let payloadOffset: Int
  /// Bytes of the payload, without padding; may be 0.
  public let payloadByteCount: Int
  /// Bytes of padding, including the count itself; 0 without any.
  public let paddingByteCount: Int

  /// Checks a packet and finds its parts.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `RTPError`; the caller counts and drops the packet.
  @_noLocks
  public init(parsing bytes: UnsafeRawBufferPointer) throws(RTPError) {
    header = try RTPHeader(parsing: bytes)
    guard let base = bytes.baseAddress else { throw .truncated }
    let first = byte(base, 0)
    contributingSourceCount = Int(first & 0x0F)
    var offset = RTPHeader.byteCount &+ 4 &* contributingSourceCount
    guard offset <= bytes.count else { throw .contributingSources }
    if first & 0x10 != 0 {
      guard offset &+ 4 <= bytes.count else { throw .headerExtension }
      extensionProfile = bigEndian16(base, offset)
      extensionByteCount = 4 &* Int(bigEndian16(base, offset &+ 2))
      offset = offset &+ 4
      guard offset &+ extensionByteCount <= bytes.count else { throw .headerExtension }
    } else {
      extensionProfile = nil
      extensionByteCount = 0
    }
    extensionOffset = offset
    offset = offset &+ extensionByteCount
    if first & 0x20 != 0 {
      paddingByteCount = bytes.count > offset ? Int(byte(base, bytes.count &- 1)) : 0
      guard paddingByteCount > 0, paddingByteCount <= bytes.count &- offset else { throw .padding }
    } else {
      paddingByteCount = 0
    }
    payloadOffset = offset
    payloadByteCount = bytes.count &- offset &- paddingByteCount
  }

  /// Range of the payload within the packet.
  public var payloadRange: Range<Int> { payloadOffset..<(payloadOffset + payloadByteCount) }

  /// Range of the header extension's data within the packet; empty without one.
  public var extensionRange: Range<Int> { extensionOffset..<(extensionOffset + extensionByteCount) }

  /// Returns a contributing source of the packet that this view was made from.
  ///
  /// Real-time: wait-free. Traps for an index beyond the count, or if `bytes` is a shorter packet.
  @_noLocks
  public func contributingSource(_ index: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
    precondition(index >= 0 && index < contributingSourceCount, "no such contributing source")
    let offset = RTPHeader.byteCount &+ 4 &* index
    guard offset &+ 4 <= bytes.count, let base = bytes.baseAddress else {
      preconditionFailure("not the packet that the view was made from")
    }
    return bigEndian32(base, offset)
  }
}
