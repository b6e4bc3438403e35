/// Payload of a load's packet. It begins as an Opus packet does; number and time of sending follow.
///
///     TOC 1 | "LOAD" 4 | flags 1: counted, beginning | uid 4 | number 4 | time of sending 8
struct LoadPayload: Hashable {
  /// Bytes of the fields; the rest of a payload is zero.
  static let byteCount = 22
  private static let mark: UInt32 = 0x4C4F_4144
  /// Opus, SILK wideband, mono, one frame of 20 ms.
  private static let tableOfContents: UInt8 = 0x48

  /// Whether the packet counts in the result.
  let isCounted: Bool
  /// Whether the packet is one of the first of a turn.
  let isBeginning: Bool
  /// Publisher.
  let uid: UInt32
  /// Number of the packet among the publisher's.
  let number: UInt32
  /// Time of sending, by the clock of the load.
  let sentNanoseconds: Int

  init(isCounted: Bool, isBeginning: Bool = false, uid: UInt32, number: UInt32, sentNanoseconds: Int) {
    self.isCounted = isCounted
    self.isBeginning = isBeginning
    self.uid = uid
    self.number = number
    self.sentNanoseconds = sentNanoseconds
  }

  /// Reads a payload; nil for a payload of another program.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount, bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self) == Self.mark else {
      return nil
    }
    isCounted = bytes[5] & 1 != 0
    isBeginning = bytes[5] & 2 != 0
    uid = bytes.loadUnaligned(fromByteOffset: 6, as: UInt32.self)
    number = bytes.loadUnaligned(fromByteOffset: 10, as: UInt32.self)
    sentNanoseconds = bytes.loadUnaligned(fromByteOffset: 14, as: Int.self)
  }

  /// Writes the payload; the memory holds at least `byteCount` bytes.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes[0] = Self.tableOfContents
    bytes.storeBytes(of: Self.mark, toByteOffset: 1, as: UInt32.self)
    bytes[5] = (isCounted ? 1 : 0) | (isBeginning ? 2 : 0)
    bytes.storeBytes(of: uid, toByteOffset: 6, as: UInt32.self)
    bytes.storeBytes(of: number, toByteOffset: 10, as: UInt32.self)
    bytes.storeBytes(of: sentNanoseconds, toByteOffset: 14, as: Int.self)
  }
}
