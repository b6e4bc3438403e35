/// Request for up to 17 packets: one, and any of the 16 that follow it.
///
/// Source: RFC 4585, section 6.2.1.
public struct NackPair: Hashable, Sendable, BitwiseCopyable {
  /// Sequence number of the first packet.
  public let packetID: UInt16
  /// Bits of the packets that follow; bit k is set if packet `packetID + k + 1` is missing too.
  public let bitmask: UInt16

  /// Creates a pair from its halves.
  @_noLocks
  public init(packetID: UInt16, bitmask: UInt16) {
    self.packetID = packetID
    self.bitmask = bitmask
  }

  /// Number of requested packets, 1...17.
  public var packetCount: Int { @_noLocks get { 1 &+ bitmask.nonzeroBitCount } }

  /// Returns the sequence number of the packet `distance` (0...16) behind the first; nil if it is not requested.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func sequenceNumber(_ distance: Int) -> UInt16? {
    guard distance >= 0, distance <= 16 else { return nil }
    guard distance == 0 || bitmask & (1 << UInt16(truncatingIfNeeded: distance &- 1)) != 0 else { return nil }
    return packetID &+ UInt16(truncatingIfNeeded: distance)
  }
}
