extension RTCPPacketView {
  /// Whether the packet is a generic NACK, a request for packets.
  public var isNack: Bool {
    @_noLocks get {
      if case .transportFeedback = type { return count == 1 }
      return false
    }
  }

  /// Returns the source of the missing packets.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`, `nack`.
  @_noLocks
  public func nackedSSRC() throws(RTCPError) -> UInt32 {
    guard isNack else { throw .otherType }
    return try word(8, else: .nack)
  }

  /// Returns the number of pairs, at least one.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`, `nack`.
  @_noLocks
  public func nackPairCount() throws(RTCPError) -> Int {
    guard isNack else { throw .otherType }
    // Lengths are whole words, so half a pair is impossible; padding has been cut off in whole words too.
    guard bytes.count >= 16 else { throw .nack }
    return (bytes.count &- 12) / 4
  }

  /// Returns one of the pairs.
  ///
  /// Real-time: wait-free.
  ///
  /// - Throws: `otherType`; `nack`, also for an index beyond the count.
  @_noLocks
  public func nackPair(_ index: Int) throws(RTCPError) -> NackPair {
    guard index >= 0, index < (try nackPairCount()) else { throw .nack }
    let word = try word(12 &+ 4 &* index, else: .nack)
    return NackPair(
      packetID: UInt16(truncatingIfNeeded: word >> 16), bitmask: UInt16(truncatingIfNeeded: word))
  }
}
