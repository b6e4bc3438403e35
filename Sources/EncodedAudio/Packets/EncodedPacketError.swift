public import RTP

/// Reason why a packet cannot be published.
public enum EncodedPacketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not an Opus packet.
  case payload(OpusPayloadError)
  /// The packet has more than 1,275 bytes.
  case tooLong(byteCount: Int)
  /// The packet begins before the end of the one before.
  case timestamp(Int, earliest: Int)
  /// The timestamp is negative, or lies beyond 46 years.
  case timestampRange(Int)
  /// The packets that wait already last for 2 s: push this one again later.
  case full
  /// The channel has ended.
  case ended

  public var description: String {
    switch self {
    case .payload(let error): "the payload is not an Opus packet: \(error)"
    case .tooLong(let count): "the packet has \(count) bytes; encode at most 1275"
    case .timestamp(let timestamp, let earliest):
      "the packet begins at sample \(timestamp), before the end of the one before it; begin at \(earliest) or later"
    case .timestampRange(let timestamp):
      "the packet begins at sample \(timestamp); count the samples of 48 kHz from the first packet"
    case .full: "packets of 2 s wait already; push the packet later"
    case .ended: "the channel has ended; join again"
    }
  }
}
