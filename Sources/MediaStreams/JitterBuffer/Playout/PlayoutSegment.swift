import AudioGraph

/// Samples that follow one another in the sample buffer and have one origin.
struct PlayoutSegment: BitwiseCopyable {
  /// Samples per channel.
  var count: Int
  /// Arrival of the packet that they were decoded from, in nanoseconds.
  var arrival: Int
  /// RTP timestamp of the packet that they were decoded from; nil if there was none.
  var timestamp: UInt32?
  var provenance: Provenance
  /// Whether the samples are silence because no packet has come for long.
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
