/// What a sender had counted when an interval of the statistics ended.
package struct SenderTotals: BitwiseCopyable {
  /// The ticks that were over then.
  package var tickCount: Int
  /// Packets made.
  package var packets: Int
  /// Bytes of their payloads.
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
