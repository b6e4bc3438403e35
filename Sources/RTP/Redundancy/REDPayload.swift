/// A payload of RED: older blocks, for where packets are lost, before the newest one.
///
///     |1| type | timestamp offset | length |  ... of each older block, 4 bytes
///     |0| type |                              of the newest, 1 byte; then all blocks
///
/// Source: RFC 2198, section 3.
public struct REDPayload: Hashable, Sendable, BitwiseCopyable {
  /// The payload type of the newest block.
  public let payloadType: UInt8
  /// Where the newest block begins; it goes on to the payload's end.
  public let offset: Int

  /// The newest block of a payload; nil where the payload ends before it.
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
