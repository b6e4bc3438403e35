import RTP

/// Tells packets of Opus from packets of samples, at a payload type without a named format.
///
/// A payload of zeros is a valid packet of Opus, too. The timestamps tell the two apart.
/// Source: RFC 7587, section 4.2, for the clock of 48 kHz; RFC 6716, section 3.1, for frames of 2.5 ms and more.
enum OpusPlausibility {
  /// Units of the timestamp in the shortest frame.
  private static let shortestFrame: UInt32 = 120

  /// Returns whether two packets in sequence can be Opus.
  static func accepts(_ earlier: UnsafeRawBufferPointer, _ packet: UnsafeRawBufferPointer) -> Bool {
    guard let first = try? RTPPacketView(parsing: earlier), let second = try? RTPPacketView(parsing: packet) else {
      return false
    }
    let payload = UnsafeRawBufferPointer(rebasing: earlier[first.payloadRange])
    guard let opus = try? OpusPayload(parsing: payload) else { return false }
    return accepts(
      sampleCount: opus.samplesPerChannel, byteCount: payload.count,
      duration: second.header.timestamp &- first.header.timestamp)
  }

  /// Returns whether a payload can be Opus.
  ///
  /// - Parameters:
  ///   - sampleCount: samples per channel that it claims to have.
  ///   - byteCount: bytes of the payload.
  ///   - duration: difference of its timestamp to that of the next packet.
  static func accepts(sampleCount: Int, byteCount: Int, duration: UInt32) -> Bool {
    // A pause may follow a packet. Opus never needs the 768 kbit/s of one channel of samples.
    duration == 0 || duration % shortestFrame == 0 && duration >= sampleCount && byteCount < 2 * Int(duration)
  }
}
