/// Packet that waits to be decoded; its payload lies in the buffer's memory.
struct PacketSlot: BitwiseCopyable {
  /// RTP sequence number, unwrapped.
  var sequence: Int
  /// RTP timestamp of the first sample, unwrapped.
  var timestamp: Int
  /// Samples per channel that the payload says it holds.
  var sampleCount: Int
  /// Time of arrival, in nanoseconds of the engine's clock.
  var arrival: Int
  /// Bytes of the payload.
  var byteCount: Int
  /// Whether the payload carries a coarse copy of the packet before it.
  var hasRedundancy: Bool
  /// Whether the payload says that the sender has fallen silent.
  var isDiscontinued: Bool
  /// Whether the payload is A-law of G.711.
  var isALaw: Bool
  /// Place of the payload in the buffer's memory.
  var place: UInt16 = 0

  @_noLocks
  init(
    sequence: Int, timestamp: Int, sampleCount: Int, arrival: Int, byteCount: Int, hasRedundancy: Bool = false,
    isDiscontinued: Bool = false, isALaw: Bool = false
  ) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.sampleCount = sampleCount
    self.arrival = arrival
    self.byteCount = byteCount
    self.hasRedundancy = hasRedundancy
    self.isDiscontinued = isDiscontinued
    self.isALaw = isALaw
  }

  /// Sequence number of a slot that holds nothing.
  static var vacant: Int { @_noLocks get { .min } }
}
