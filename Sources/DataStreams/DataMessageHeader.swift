import RTP

/// Header of a message in the payload of a packet: 12 bytes before the message's own.
///
///     0                   1                   2                   3
///     | flags         | stream        | 0                             |
///     | uid of the sender, 0 on its way to the relay                  |
///     | number of the message in its stream                           |
///
/// Flags: 1 for a reliable stream, 2 for an ordered one, 4 from the relay if earlier messages of the sender may follow.
/// All fields are in network byte order.
///
/// Source: Documentation/Signalling.md.
package struct DataMessageHeader: Hashable, Sendable {
  /// Size in bytes.
  package static let byteCount = 12
  /// Offset of the uid.
  package static let uidOffset = 4

  /// Sender; 0 on its way to the relay.
  package var uid: UInt32
  /// Stream of the sender, from 1 on.
  package var stream: UInt8
  /// Whether missing messages are requested.
  package var isReliable: Bool
  /// Whether messages are received in their order.
  package var isOrdered: Bool
  /// Whether the relay awaits earlier messages of the sender.
  package var mayFollowEarlier = false
  /// Number in the stream; the first is any number.
  package var number: UInt32

  /// Creates a header.
  package init(uid: UInt32 = 0, stream: UInt8, isReliable: Bool, isOrdered: Bool, number: UInt32) {
    self.uid = uid
    self.stream = stream
    self.isReliable = isReliable
    self.isOrdered = isOrdered
    self.number = number
  }

  /// Reads the header of a payload; nil if it is malformed, or if the message has no bytes or too many.
  package init?(_ payload: UnsafeRawBufferPointer) {
    guard (Self.byteCount + 1...Self.byteCount + DataLimits.messageByteCount).contains(payload.count),
      payload[0] <= 7, (1...DataLimits.streamCount).contains(Int(payload[1]))
    else { return nil }
    isReliable = payload[0] & 1 != 0
    isOrdered = payload[0] & 2 != 0
    mayFollowEarlier = payload[0] & 4 != 0
    stream = payload[1]
    uid = UInt32(bigEndian: payload.loadUnaligned(fromByteOffset: Self.uidOffset, as: UInt32.self))
    number = UInt32(bigEndian: payload.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// Writes the header to the first bytes of the memory, which must have 12.
  package func write(to memory: UnsafeMutableRawBufferPointer) {
    memory.storeBytes(
      of: UInt32((isReliable ? 1 : 0) | (isOrdered ? 2 : 0) | (mayFollowEarlier ? 4 : 0)) << 24 | UInt32(stream) << 16,
      bigEndianAt: 0)
    memory.storeBytes(of: uid, bigEndianAt: Self.uidOffset)
    memory.storeBytes(of: number, bigEndianAt: 8)
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores a word in network byte order.
  package func storeBytes(of word: UInt32, bigEndianAt offset: Int) {
    storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt32.self)
  }
}
