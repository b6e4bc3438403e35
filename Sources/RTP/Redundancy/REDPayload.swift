/// A payload of RED: older blocks, in case of lost packets, before the newest one.
///
///     |1| type | timestamp offset | length |  ... of each older block, 4 bytes
///     |0| type |                              of the newest, 1 byte; then all blocks
///
/// Source: RFC 2198, section 3.
public struct REDPayload: Hashable, Sendable, BitwiseCopyable {
  /// Payload type of the newest block.
  public let payloadType: UInt8
  /// Offset of the newest block, which extends to the payload's end.
  public let offset: Int

  /// Finds the newest block of a payload; nil if the payload ends before it.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public init?(parsing payload: UnsafeRawBufferPointer) {
    guard let base = payload.baseAddress else { return nil }
    var header = 0
    var older = 0
    while header < payload.count {
      let first = byte(base, header)
      guard first & 0x80 != 0 else {
        payloadType = first
        offset = header &+ 1 &+ older
        guard offset < payload.count else { return nil }
        return
      }
      guard header &+ 4 <= payload.count else { return nil }
      older = older &+ Int(bigEndian16(base, header &+ 2) & 0x3FF)
      header = header &+ 4
    }
    return nil
  }
}
