/// Processor time that a relay used while packets counted.
struct RelayUse {
  /// Cores that it used.
  let cores: Double
  /// Packets that it sent; nil if they are not known.
  let sentCount: Int?
  private let seconds: Double

  /// Creates the use between two readings; nil if one is missing, or if the relay restarted between them.
  ///
  /// - Parameters:
  ///   - start: Reading at the beginning of the time that counts.
  ///   - end: Reading at its end.
  ///   - settled: Reading behind the last packet. A busy relay counts its packets later than its processor time.
  ///   - durationSeconds: Time that counts.
  init?(
    from start: RelayMeter.Reading?, to end: RelayMeter.Reading?, settled: RelayMeter.Reading?, durationSeconds: Double
  ) {
    guard let start, let end, let settled, end.processorSeconds >= start.processorSeconds,
      settled.processorSeconds >= end.processorSeconds
    else { return nil }
    seconds = settled.processorSeconds - start.processorSeconds
    cores = (end.processorSeconds - start.processorSeconds) / max(1e-9, durationSeconds)
    sentCount = start.packetCount.flatMap { old in settled.packetCount.map { max(0, $0 - old) } }
  }

  /// Processor time for each packet in microseconds: for each one that the relay sent if that is known, else for each
  /// one that was delivered. Nil without packets.
  func microsecondsPerPacket(deliveredCount: Int) -> Double? {
    let count = sentCount ?? deliveredCount
    return count > 0 ? seconds * 1e6 / Double(count) : nil
  }
}
