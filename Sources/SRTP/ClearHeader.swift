import RTP

/// Part of an RTP packet that stays in the clear: the fixed header, the contributing sources and the extension.
///
/// Source: RFC 3711, section 3.1.
struct ClearHeader {
  let ssrc: UInt32
  let sequenceNumber: UInt16
  let byteCount: Int

  /// Reads the header of a packet without its tag.
  ///
  /// - Throws: `malformed` for another version, and for lengths beyond the packet.
  init(_ packet: UnsafeRawBufferPointer) throws(SRTPError) {
    guard let header = try? RTPHeader(parsing: packet) else { throw .malformed }
    ssrc = header.ssrc
    sequenceNumber = header.sequenceNumber
    var count = RTPHeader.byteCount + 4 * Int(packet[0] & 0x0F)
    if packet[0] & 0x10 != 0 {
      guard count + 4 <= packet.count else { throw .malformed }
      count += 4 + 4 * Int(UInt16(bigEndian: packet.loadUnaligned(fromByteOffset: count + 2, as: UInt16.self)))
    }
    guard count <= packet.count else { throw .malformed }
    byteCount = count
  }
}
