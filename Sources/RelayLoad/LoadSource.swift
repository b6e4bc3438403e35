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
  /// - Returns: Bytes of the packet; nil if the memory is too short.
  mutating func write(
    into memory: UnsafeMutableRawBufferPointer, ssrc: UInt32, uid: UInt32, isCounted: Bool, _ now: Int
  ) -> Int? {
    let header = RTPHeader(
      marker: packetCount == 0, payloadType: WireConventions.opusPayloadType,
      sequenceNumber: UInt16(truncatingIfNeeded: number), timestamp: timestamp, ssrc: ssrc)
    let start: Int
    do throws(RTPError) {
      var writer = try RTPPacketWriter(header, into: memory)
      try writer.append(
        AudioLevel(decibelsBelowOverload: 30, hasVoice: true), identifier: WireConventions.audioLevelIdentifier)
      start = try writer.endHeader()
    } catch {
      return nil
    }
    guard memory.count >= start + plan.payloadByteCount else { return nil }
    let payload = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + plan.payloadByteCount])
    payload.initializeMemory(as: UInt8.self, repeating: 0)
    LoadPayload(isCounted: isCounted, uid: uid, number: number, sentNanoseconds: now).write(to: payload)
    number &+= 1
    packetCount += 1
    octetCount += payload.count
    return start + payload.count
  }

  /// Returns the sender report; nil before the first packet.
  func makeReport(ssrc: UInt32, _ now: Int) -> SenderReport? {
    guard packetCount > 0 else { return nil }
    return SenderReport(
      ssrc: ssrc, ntp: NTPTimestamp(nanoseconds: now + plan.calendarNanoseconds), rtpTimestamp: timestamp,
      packetCount: UInt32(truncatingIfNeeded: packetCount), octetCount: UInt32(truncatingIfNeeded: octetCount))
  }

  private var timestamp: UInt32 { number &* UInt32(plan.frameMilliseconds * OpusRTP.clockRate / 1_000) }
}
