/// Counters of a sender at the end of an interval of the statistics.
package struct SenderTotals: BitwiseCopyable {
  /// Ticks that were over at the end of the interval.
  package var tickCount: Int
  /// Packets made.
  package var packets: Int
  /// Bytes of the payloads of the packets made.
  package var payloadBytes: Int
  /// Packets that were not made because there was nothing to hear.
  package var suppressed: Int

  @_noLocks
  init(tickCount: Int, packets: Int, payloadBytes: Int, suppressed: Int) {
    self.tickCount = tickCount
    self.packets = packets
    self.payloadBytes = payloadBytes
    self.suppressed = suppressed
  }
}
