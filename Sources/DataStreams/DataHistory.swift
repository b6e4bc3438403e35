package import RTP

/// Packets of reliable streams that one end of a path has sent, for the requests of the other end.
///
/// It holds them as they were sent: two different packets of one number would reveal AES-GCM's key of the
/// authentication. The other end cannot miss the last packet of a burst, so that it is sent again without a request.
///
/// Thread: one at a time.
package struct DataHistory: ~Copyable {
  /// Times after a reliable packet at which it is sent again if no other follows, in nanoseconds.
  private static let repetitions = [100_000_000, 300_000_000, 900_000_000]
  private static let slotCount = 2_048

  private var packets: SentPackets
  private var slots: [(number: UInt16, position: Int)] = []
  private var newest = 0
  private var last: (number: UInt16, nanoseconds: Int)?
  private var repetitionCount = 0

  /// Creates a history without packets.
  ///
  /// - Parameter largestByteCount: Bytes of the packets at most, a power of two.
  package init(largestByteCount: Int = DataLimits.keptByteCount) {
    packets = SentPackets(
      historyNanoseconds: DataLimits.repetitionNanoseconds, largestByteCount: largestByteCount)
  }

  /// Bytes of memory in use.
  package var byteCount: Int { packets.byteCount }

  /// Number of the next packet, which counts as sent.
  package mutating func takeNumber() -> UInt16 {
    newest += 1
    return UInt16(truncatingIfNeeded: newest)
  }

  /// Keeps a protected packet of a reliable stream.
  package mutating func keep(_ packet: UnsafeRawBufferPointer, number: UInt16, nowNanoseconds now: Int) {
    guard let position = packets.append(packet, nowNanoseconds: now) else { return }
    if slots.isEmpty { slots = Array(repeating: (0, -1), count: Self.slotCount) }
    slots[Int(number) % Self.slotCount] = (number, position)
    last = (number, now)
    repetitionCount = 0
  }

  /// Returns a packet; nil if it is not kept. It is valid until the next `keep`.
  package func packet(_ number: UInt16) -> UnsafeRawBufferPointer? {
    guard !slots.isEmpty else { return nil }
    let slot = slots[Int(number) % Self.slotCount]
    return slot.number == number ? packets.packet(at: slot.position) : nil
  }

  /// Sends the requested packets that are kept, within a rate.
  package mutating func answer(
    _ pair: NackPair, limit: Int, nowNanoseconds now: Int, _ send: (UnsafeRawBufferPointer) -> Void
  ) {
    for distance in 0...16 {
      guard let number = pair.sequenceNumber(distance), packet(number) != nil else { continue }
      guard packets.countRetransmission(limit: limit, nowNanoseconds: now) else { return }
      if let packet = packet(number) { send(packet) }
    }
  }

  /// Time at which the last packet is sent again; nil if it is not.
  package var nextDeadlineNanoseconds: Int? {
    guard let last, repetitionCount < Self.repetitions.count else { return nil }
    return last.nanoseconds + Self.repetitions[repetitionCount]
  }

  /// Returns the last packet if it is due once more; it is valid until the next `keep`.
  package mutating func takeRepetition(nowNanoseconds now: Int) -> UnsafeRawBufferPointer? {
    guard let due = nextDeadlineNanoseconds, due <= now, let last else { return nil }
    repetitionCount += 1
    return packet(last.number)
  }
}
