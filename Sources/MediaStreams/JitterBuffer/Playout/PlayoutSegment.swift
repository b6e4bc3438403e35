import AudioGraph

/// Samples that follow one another in the sample buffer and came about in the same way.
struct PlayoutSegment: BitwiseCopyable {
  /// Samples per channel.
  var count: Int
  /// When the packet came that they were decoded from, in nanoseconds.
  var arrival: Int
  /// RTP timestamp of that packet; nil where there was none.
  var timestamp: UInt32?
  var provenance: Provenance
  /// Silence because nothing has come for long.
  var isFrozen: Bool

  @_noLocks
  init(count: Int, arrival: Int = 0, timestamp: UInt32? = nil, provenance: Provenance, isFrozen: Bool = false) {
    self.count = count
    self.arrival = arrival
    self.timestamp = timestamp
    self.provenance = provenance
    self.isFrozen = isFrozen
  }
}
