import RTP
import Synchronization

extension SenderState {
  /// Writes the header.
  ///
  /// - Returns: offset of the payload; 0 if the header cannot be written.
  @_noLocks
  func writeHeader(to packet: UnsafeMutableRawBufferPointer, _ level: AudioLevel) -> Int {
    do throws(RTPError) {
      var writer = try RTPPacketWriter(header, into: packet)
      if let identifier = levels.identifier { try writer.append(level, identifier: identifier) }
      return try writer.endHeader()
    } catch {
      counters.pointee.failures.wrappingAdd(1, ordering: .relaxed)
      return 0
    }
  }

  /// Counts a packet, and makes the header that of the next; one without bytes only uses up its number.
  @_noLocks
  mutating func count(_ byteCount: Int) {
    header.sequenceNumber &+= 1
    header.marker = false
    sequence &+= 1
    guard byteCount > 0 else { return }
    counters.pointee.packets.wrappingAdd(1, ordering: .relaxed)
    counters.pointee.payloadBytes.wrappingAdd(byteCount, ordering: .relaxed)
  }

  /// Writes a payload of the `null` codec.
  ///
  /// - Returns: bytes of the payload; 0 if they do not fit.
  @_noLocks
  func writeNull(to payload: UnsafeMutableRawBufferPointer, sampleCount: Int, announcesPause: Bool) -> Int {
    NullPayload(
      source: sourceID, sequence: sequence, sampleCount: UInt16(truncatingIfNeeded: sampleCount),
      announcesPause: announcesPause
    ).write(to: payload)
  }
}
