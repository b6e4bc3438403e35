import RTP

/// The check of a source that is taken for Opus, although nobody has named the format of its payload type.
///
/// Packets of samples look like packets of Opus: a payload of zeros is a valid one. Their timestamps tell them apart.
/// Source: RFC 7587, section 4.2, for the clock of 48 kHz; RFC 6716, section 3.1, for frames of 2.5 ms and more.
enum AssumedOpus {
  /// Units of the timestamp in the shortest frame.
  private static let shortestFrame: UInt32 = 120

  /// Returns whether two packets in sequence can be Opus.
  static func accepts(_ earlier: UnsafeRawBufferPointer, _ packet: UnsafeRawBufferPointer) -> Bool {
    guard let first = try? RTPPacketView(parsing: earlier), let second = try? RTPPacketView(parsing: packet) else {
      return false
    }
    let duration = second.header.timestamp &- first.header.timestamp
    // Opus never needs the 768 kbit/s of one channel of samples.
    return duration % shortestFrame == 0 && (duration == 0 || first.payloadByteCount < 2 * Int(duration))
  }
}
