/// Why bytes are no RTP packet, or cannot become one.
public enum RTPError: UInt8, Error, BitwiseCopyable, CustomStringConvertible {
  /// Shorter than the fixed header.
  case truncated
  /// Not version 2.
  case version
  /// The list of contributing sources reaches beyond the packet.
  case contributingSources
  /// The header extension reaches beyond the packet.
  case headerExtension
  /// The padding count is zero, or more than what follows the header.
  case padding
  /// The payload type does not fit into seven bits.
  case payloadType
  /// The buffer is shorter than what is to be written.
  case noRoom

  public var description: String {
    switch self {
    case .truncated: "shorter than an RTP header (12 bytes)"
    case .version: "not RTP version 2"
    case .contributingSources: "the contributing sources reach beyond the RTP packet"
    case .headerExtension: "the header extension reaches beyond the RTP packet"
    case .padding: "the RTP padding count is zero or reaches into the header"
    case .payloadType: "an RTP payload type is 0 to 127"
    case .noRoom: "the buffer is too short for an RTP header"
    }
  }
}
