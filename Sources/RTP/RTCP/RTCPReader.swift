/// Checks a datagram of RTCP as a whole, then returns its packets one after another.
///
///     [ SR or RR | SDES | ... ]      a compound packet
///     [ NACK ]                       reduced size, if agreed on
///
/// It borrows the bytes, which must outlive it and its packets.
///
/// Source: RFC 3550, section 6.1 and appendix A.2; RFC 5506.
public struct RTCPReader {
  /// Packets with which a datagram may begin.
  public enum Form: UInt8, Sendable, BitwiseCopyable {
    /// A report, as RFC 3550 requires.
    case compound
    /// Any packet, as RFC 5506 allows.
    case reducedSizeToo
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Checks versions, lengths and padding of all packets.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `RTCPError`; the datagram as a whole is not RTCP then.
  @_noLocks
  public init(_ bytes: UnsafeRawBufferPointer, form: Form = .reducedSizeToo) throws(RTCPError) {
    self.bytes = bytes
    guard let base = bytes.baseAddress, bytes.count >= 4 else { throw .truncated }
    var offset = 0
    while offset < bytes.count {
      guard offset &+ 4 <= bytes.count else { throw .truncated }
      let first = byte(base, offset)
      guard first >> 6 == 2 else { throw .version }
      let end = offset &+ 4 &* (Int(bigEndian16(base, offset &+ 2)) &+ 1)
      guard end <= bytes.count else { throw .truncated }
      let hasPadding = first & 0x20 != 0
      if offset == 0, case .compound = form {
        let type = byte(base, 1)
        guard !hasPadding, type == 200 || type == 201 else { throw .firstPacket }
      }
      if hasPadding {
        guard end == bytes.count else { throw .padding }
        let count = Int(byte(base, end &- 1))
        guard count > 0, count % 4 == 0, count <= end &- offset &- 4 else { throw .padding }
      }
      offset = end
    }
  }

  /// Returns the next packet; nil at the end.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public mutating func next() -> RTCPPacketView? {
    guard position < bytes.count, let base = bytes.baseAddress else { return nil }
    let start = position
    let end = start &+ 4 &* (Int(bigEndian16(base, start &+ 2)) &+ 1)
    position = end
    let paddingByteCount = byte(base, start) & 0x20 != 0 ? Int(byte(base, end &- 1)) : 0
    return RTCPPacketView(
      UnsafeRawBufferPointer(start: base + start, count: end &- start &- paddingByteCount))
  }
}
