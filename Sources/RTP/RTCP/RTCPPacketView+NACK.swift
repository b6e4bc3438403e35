extension RTCPPacketView {
  /// Whether this is a generic NACK: packets asked for again.
  public var isNack: Bool {
    @_noLocks get {
      if case .transportFeedback = type { return count == 1 }
      return false
    }
  }

  /// The source whose packets are missing.
  ///
  /// Real-time: wait-free. Throws: `otherType`, `nack`.
  @_noLocks
  public func nackedSSRC() throws(RTCPError) -> UInt32 {
    guard isNack else { throw .otherType }
    return try word(8, else: .nack)
  }

  /// How many pairs there are, at least one.
  ///
  /// Real-time: wait-free. Throws: `otherType`, `nack`.
  @_noLocks
  public func nackPairCount() throws(RTCPError) -> Int {
    guard isNack else { throw .otherType }
    // Lengths are whole words, so half a pair cannot be; padding has been cut off in whole words too.
    guard bytes.count >= 16 else { throw .nack }
    return (bytes.count &- 12) / 4
  }

  /// One of the pairs. Throws: `otherType`, `nack` also for an index beyond the count.
  ///
  /// Real-time: wait-free.
  @_noLocks
  public func nackPair(_ index: Int) throws(RTCPError) -> NackPair {
    guard index >= 0, index < (try nackPairCount()) else { throw .nack }
    let word = try word(12 &+ 4 &* index, else: .nack)
    return NackPair(
      packetID: UInt16(truncatingIfNeeded: word >> 16), bitmask: UInt16(truncatingIfNeeded: word))
  }
}
