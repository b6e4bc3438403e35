public import RTP

/// One audio stream in Opus, G.711 or L16, as SDP describes it.
public struct AudioStreamDescription: Hashable, Sendable {
  /// Port to send packets to; 0 if the stream is switched off.
  public var port: UInt16
  /// RTP profile of the packets.
  public var profile: RTPProfile
  /// Payload type of the format in packets: its static type, or 96...127 by convention.
  public var payloadType: UInt8
  /// Format of the payloads.
  public var format: RTPPayloadFormat
  /// Direction of the packets.
  public var direction = MediaDirection.sendAndReceive
  /// Parameters of Opus; other formats have none.
  public var parameters = OpusFormatParameters()
  /// Preferred packet length, in ms; nil if not given.
  public var packetMilliseconds: Double?
  /// Maximum packet length, in ms; nil if not given.
  public var maximumPacketMilliseconds: Double?
  /// Keys, in order of preference.
  public var crypto: [CryptoAttribute] = []
  /// Numbers of the header extensions.
  public var headerExtensions: [HeaderExtensionMapping] = []
  /// Payload type of RED (RFC 2198), if packets may have that, too; nil without RED.
  public var redundancyPayloadType: UInt8?
  /// Format of key presses; nil if the stream does not carry them.
  public var telephoneEvents: TelephoneEventFormat?
  /// Port to send RTCP to, if it is not the next port (RFC 3605).
  public var rtcpPort: UInt16?
  /// Address that belongs to `rtcpPort`, if it is not the stream's address.
  public var rtcpAddress: NetworkAddress?
  /// Whether RTCP shares the port of RTP (RFC 5761).
  public var usesRTCPMux = false
  /// Whether RTCP may omit reports (RFC 5506).
  public var usesReducedSizeRTCP = false
  /// Whether lost packets may be requested again (RFC 4585).
  public var supportsNack = false

  /// Creates a stream with these properties only. Traps for a payload type of more than seven bits.
  ///
  /// - Parameters:
  ///   - port: port to send packets to.
  ///   - profile: RTP profile of the packets.
  ///   - payloadType: payload type of the format; nil: its static one, or else 96.
  ///   - format: format of the payloads.
  public init(
    port: UInt16, profile: RTPProfile = .plain, payloadType: UInt8? = nil, format: RTPPayloadFormat = .opus
  ) {
    let payloadType = payloadType ?? format.staticPayloadType ?? 96
    self.format = format
    precondition(payloadType < 128, "an RTP payload type has seven bits")
    self.port = port
    self.profile = profile
    self.payloadType = payloadType
  }

  /// Whether no packets are sent for now.
  var isSwitchedOff: Bool { port == 0 || direction == .inactive }

  /// Whether packets are encrypted. Some programs give a key with a plain profile, and mean it.
  public var isProtected: Bool { profile.isSecure || !crypto.isEmpty }

  /// Returns the number of a header extension; nil if the stream does not carry it.
  public func identifier(ofExtension uri: String) -> UInt8? {
    headerExtensions.first { $0.uri == uri }?.identifier
  }
}
