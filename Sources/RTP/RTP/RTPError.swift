/// Reason why bytes are not an RTP packet, or cannot become one.
public enum RTPError: UInt8, Error, BitwiseCopyable, CustomStringConvertible {
  /// Shorter than the fixed header.
  case truncated
  /// Not version 2.
  case version
  /// The list of contributing sources reaches beyond the packet.
  case contributingSources
  /// The header extension reaches beyond the packet.
  case headerExtension
  /// An element of the header extension reaches beyond it.
  case extensionElement
  /// An identifier or a length that does not fit the form of the header extension.
  case extensionIdentifier
  /// The padding count is zero, or more than the bytes behind the header.
  case padding
  /// The payload type does not fit into seven bits.
  case payloadType
  /// The buffer is shorter than the bytes to be written.
  case bufferTooShort

  public var description: String {
    switch self {
    case .truncated: "shorter than an RTP header (12 bytes)"
    case .version: "not RTP version 2"
    case .contributingSources: "the contributing sources reach beyond the RTP packet"
    case .headerExtension: "the header extension reaches beyond the RTP packet"
    case .extensionElement: "an element reaches beyond the RTP header extension"
    case .extensionIdentifier:
      "a one-byte header extension has identifiers 1 to 14 and 1 to 16 bytes, a two-byte one 1 to 255 and 0 to 255 bytes"
    case .padding: "the RTP padding count is zero or reaches into the header"
    case .payloadType: "an RTP payload type is 0 to 127"
    case .bufferTooShort: "the buffer is too short for an RTP header"
    }
  }
}
