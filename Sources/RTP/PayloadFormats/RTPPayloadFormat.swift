/// Format of the audio payloads of a stream: encoding, clock rate and channels, as SDP's `rtpmap` names them.
///
/// Source: RFC 3551, section 6; RFC 7587 for Opus.
public struct RTPPayloadFormat: Hashable, Sendable, BitwiseCopyable {
  /// Encoding of a payload.
  public enum Encoding: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// Opus (RFC 7587).
    case opus
    /// Mu-law of ITU-T G.711.
    case pcmu
    /// A-law of ITU-T G.711.
    case pcma
    /// Samples of 16 bits in network byte order.
    case linear16

    /// Name of the encoding in SDP, which ignores case.
    public var name: String {
      switch self {
      case .opus: OpusRTP.encodingName
      case .pcmu: "PCMU"
      case .pcma: "PCMA"
      case .linear16: "L16"
      }
    }
  }

  /// Encoding of the payloads.
  public let encoding: Encoding
  /// Units of the RTP timestamp in a second; except for Opus, also samples per second of a channel.
  public let clockRate: Int
  /// Channels of the payloads; 2 for every stream of Opus.
  public let channelCount: Int

  /// Rates of L16 that can be sent and received, in Hz.
  public static let linearRates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

  /// Opus.
  public static let opus = RTPPayloadFormat(.opus, OpusRTP.clockRate, OpusRTP.encodingChannelCount)
  /// Mu-law of G.711 at 8 kHz.
  public static let pcmu = RTPPayloadFormat(.pcmu, 8_000, 1)
  /// A-law of G.711 at 8 kHz.
  public static let pcma = RTPPayloadFormat(.pcma, 8_000, 1)

  /// Formats with a payload type that needs no description.
  private static let assigned: [(type: UInt8, format: RTPPayloadFormat)] = [
    (0, pcmu), (8, pcma), (10, RTPPayloadFormat(.linear16, 44_100, 2)), (11, RTPPayloadFormat(.linear16, 44_100, 1)),
  ]

  private init(_ encoding: Encoding, _ clockRate: Int, _ channelCount: Int) {
    self.encoding = encoding
    self.clockRate = clockRate
    self.channelCount = channelCount
  }

  /// Creates a format of an encoding; nil if it cannot be sent or received.
  ///
  /// - Parameters:
  ///   - encoding: encoding of the payloads.
  ///   - clockRate: units of the RTP timestamp in a second.
  ///   - channelCount: channels of the payloads; ignored for Opus, for which SDP names 2.
  public init?(_ encoding: Encoding, clockRate: Int, channelCount: Int) {
    switch encoding {
    case .opus: guard clockRate == OpusRTP.clockRate else { return nil }
    case .pcmu, .pcma: guard clockRate == 8_000, channelCount == 1 else { return nil }
    case .linear16:
      guard Self.linearRates.contains(clockRate), channelCount == 1 || channelCount == 2 else { return nil }
    }
    self.init(encoding, clockRate, encoding == .opus ? OpusRTP.encodingChannelCount : channelCount)
  }

  /// Creates the format of a static payload type; nil if this table does not have it.
  ///
  /// Source: RFC 3551, section 6.
  public init?(staticPayloadType type: UInt8) {
    guard let entry = Self.assigned.first(where: { $0.type == type }) else { return nil }
    self = entry.format
  }

  /// Static payload type, which needs no description; nil if the format has none.
  public var staticPayloadType: UInt8? { Self.assigned.first { $0.format == self }?.type }
}

extension RTPPayloadFormat: CustomStringConvertible {
  /// Format as in SDP, such as `L16/44100/2`; one channel is not written.
  public var description: String {
    "\(encoding.name)/\(clockRate)" + (channelCount == 1 ? "" : "/\(channelCount)")
  }
}
