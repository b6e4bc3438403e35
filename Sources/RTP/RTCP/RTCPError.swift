/// Reason why bytes are not an RTCP packet, or cannot become one.
public enum RTCPError: UInt8, Error, BitwiseCopyable, CustomStringConvertible {
  /// Shorter than a header, or cut off in the middle of a packet.
  case truncated
  /// One of the packets is not version 2.
  case version
  /// A compound packet that does not begin with a report, or begins with padding.
  case firstPacket
  /// Padding before the last packet, or a count that is not a multiple of 4, zero, or too large.
  case padding
  /// Shorter than its reports, sources or pairs require.
  case reportBlocks
  /// An item of a source description reaches beyond it, or a list of items has no end.
  case sourceDescription
  /// The reason in a BYE reaches beyond the packet.
  case bye
  /// A NACK without packets, or with half of a pair.
  case nack
  /// A block reaches beyond its extended report.
  case extendedReport
  /// The packet is of another type than requested.
  case otherType
  /// The buffer is shorter than the bytes to be written.
  case bufferTooShort
  /// More than 31 report blocks, or a name or reason of more than 255 bytes.
  case tooMany
  /// A report block without a report before it, or a pair without its NACK.
  case order

  public var description: String {
    switch self {
    case .truncated: "an RTCP packet is cut off"
    case .version: "not RTCP version 2"
    case .firstPacket: "a compound RTCP packet begins with a sender or receiver report without padding"
    case .padding: "RTCP padding stands in the last packet only, and is a multiple of 4 bytes within it"
    case .reportBlocks: "an RTCP packet is too short for the reports or sources that it counts"
    case .sourceDescription: "an item of an RTCP source description reaches beyond it"
    case .bye: "the reason in an RTCP BYE reaches beyond the packet"
    case .nack: "an RTCP NACK names no packets, or half of a pair"
    case .extendedReport: "a block reaches beyond the RTCP extended report"
    case .otherType: "an RTCP packet of another type was expected"
    case .bufferTooShort: "the buffer is too short for the RTCP packet"
    case .tooMany: "an RTCP packet has up to 31 report blocks, and names of up to 255 bytes"
    case .order: "RTCP report blocks follow a report, and pairs of lost packets a NACK"
    }
  }
}
