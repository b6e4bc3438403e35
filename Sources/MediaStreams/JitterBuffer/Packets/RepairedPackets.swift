/// Numbers of lost packets that were recovered or sent again.
struct RepairedPackets {
  /// Packets recovered by FEC.
  var recovered = RecentSequences()
  /// Packets that came because they were requested.
  var retransmitted = RecentSequences()
  /// Packets that came because they were requested and could be played.
  var retransmittedInTime = RecentSequences()

  /// Forgets the stream.
  @_noLocks
  mutating func reset() {
    recovered.reset()
    retransmitted.reset()
    retransmittedInTime.reset()
  }
}
