/// Up to 17 packets that are asked for again: one, and any of the 16 that follow it.
///
/// Source: RFC 4585, section 6.2.1.
public struct NackPair: Hashable, Sendable, BitwiseCopyable {
  /// Sequence number of the first.
  public let packetID: UInt16
  /// Bit k is set when packet `packetID + k + 1` is missing too.
  public let bitmask: UInt16

  /// A pair from its halves.
  @_noLocks
  public init(packetID: UInt16, bitmask: UInt16) {
    self.packetID = packetID
    self.bitmask = bitmask
  }

  /// How many packets it asks for, 1...17.
  public var packetCount: Int { @_noLocks get { 1 &+ bitmask.nonzeroBitCount } }

  /// Sequence number of the packet that is `distance` (0...16) behind the first; nil = it is not asked for.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func sequenceNumber(_ distance: Int) -> UInt16? {
    guard distance >= 0, distance <= 16 else { return nil }
    guard distance == 0 || bitmask & (1 << UInt16(truncatingIfNeeded: distance &- 1)) != 0 else { return nil }
    return packetID &+ UInt16(truncatingIfNeeded: distance)
  }
}
