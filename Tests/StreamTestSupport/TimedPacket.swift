import MediaStreams
import RTP

/// An RTP packet and when it comes, in nanoseconds.
package struct TimedPacket {
  package var arrival: Int
  package var bytes: [UInt8]

  package init(
    arrival: Int, payload: [UInt8], sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32 = 0x5EED,
    marker: Bool = false, payloadType: UInt8 = 111
  ) throws {
    self.arrival = arrival
    let header = RTPHeader(
      marker: marker, payloadType: payloadType, sequenceNumber: sequenceNumber, timestamp: timestamp,
      ssrc: ssrc)
    var head = [UInt8](repeating: 0, count: RTPHeader.byteCount)
    try head.withUnsafeMutableBytes { _ = try header.write(to: $0) }
    bytes = head + payload
  }

  /// A packet's payload of the `null` codec.
  package static func null(_ sequence: Int, samples: Int, source: UInt32 = 7) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: NullPayload.byteCount)
    _ = payload.withUnsafeMutableBytes {
      NullPayload(source: source, sequence: UInt32(truncatingIfNeeded: sequence), sampleCount: UInt16(samples)).write(
        to: $0)
    }
    return payload
  }
}
