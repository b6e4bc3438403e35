import RTP
import Signalling

/// Packets of a publisher.
struct LoadSource {
  private let plan: LoadPlan
  private var number: UInt32 = 0
  private var packetCount = 0
  private var octetCount = 0

  init(_ plan: LoadPlan) { self.plan = plan }

  /// Lets a packet's time pass without a packet.
  mutating func skip() { number &+= 1 }

  /// Writes the next packet.
  ///
  /// - Parameter speaking: time since the beginning of the publisher's turn, in nanoseconds; nil while it is silent.
  ///
  /// - Returns: Bytes of the packet; nil if the memory is too short.
  mutating func write(
    into memory: UnsafeMutableRawBufferPointer, ssrc: UInt32, uid: UInt32, isCounted: Bool, speaking: Int?, _ now: Int
  ) -> Int? {
    let header = RTPHeader(
      marker: packetCount == 0, payloadType: WireConventions.opusPayloadType,
      sequenceNumber: UInt16(truncatingIfNeeded: number), timestamp: timestamp, ssrc: ssrc)
    let start: Int
    do throws(RTPError) {
      var writer = try RTPPacketWriter(header, into: memory)
      try writer.append(
        AudioLevel(decibelsBelowOverload: level(isSpeaking: speaking != nil), hasVoice: speaking != nil),
        identifier: WireConventions.audioLevelIdentifier)
      start = try writer.endHeader()
    } catch {
      return nil
    }
    guard memory.count >= start + plan.payloadByteCount else { return nil }
    let payload = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + plan.payloadByteCount])
    payload.initializeMemory(as: UInt8.self, repeating: 0)
    LoadPayload(
      isCounted: isCounted, isBeginning: (speaking ?? .max) < LoadPlan.beginningNanoseconds, uid: uid, number: number,
      sentNanoseconds: now
    ).write(to: payload)
    number &+= 1
    packetCount += 1
    octetCount += payload.count
    return start + payload.count
  }

  /// Level in dB below overload, which moves as that of a voice and of noise does.
  private func level(isSpeaking: Bool) -> UInt8 { (isSpeaking ? 25 : 75) + UInt8(number % 5) }

  /// Returns the sender report; nil before the first packet.
  func makeReport(ssrc: UInt32, _ now: Int) -> SenderReport? {
    guard packetCount > 0 else { return nil }
    return SenderReport(
      ssrc: ssrc, ntp: NTPTimestamp(nanoseconds: now + plan.calendarNanoseconds), rtpTimestamp: timestamp,
      packetCount: UInt32(truncatingIfNeeded: packetCount), octetCount: UInt32(truncatingIfNeeded: octetCount))
  }

  private var timestamp: UInt32 { number &* UInt32(plan.frameMilliseconds * OpusRTP.clockRate / 1_000) }
}
