public import RTP

/// One stream of sound in Opus, as SDP describes it.
public struct OpusStreamDescription: Hashable, Sendable {
  /// Where packets are to be sent; 0 = the stream is switched off.
  public var port: UInt16
  /// What they are sent by.
  public var profile: RTPProfile
  /// The number that packets carry for Opus, 96...127 by custom.
  public var payloadType: UInt8
  /// Who sends.
  public var direction = MediaDirection.sendAndReceive
  /// What is said about Opus.
  public var parameters = OpusFormatParameters()
  /// The length of packets preferred, in ms.
  public var packetMilliseconds: Double?
  /// The longest packets wanted, in ms.
  public var maximumPacketMilliseconds: Double?
  /// Keys, in the order of preference.
  public var crypto: [CryptoAttribute] = []
  /// The numbers of header extensions.
  public var headerExtensions: [HeaderExtensionMapping] = []
  /// The payload type of RED (RFC 2198), where packets may have that, too.
  public var redundancyPayloadType: UInt8?
  /// How key presses are carried; nil: not.
  public var telephoneEvents: TelephoneEventFormat?
  /// Where RTCP is to be sent, when that is not the next port (RFC 3605).
  public var rtcpPort: UInt16?
  /// The address that goes with `rtcpPort`, when it is not that of the stream.
  public var rtcpAddress: NetworkAddress?
  /// Whether RTCP shares the port of RTP (RFC 5761).
  public var usesRTCPMux = false
  /// Whether RTCP may leave out reports (RFC 5506).
  public var usesReducedSizeRTCP = false
  /// Whether lost packets may be asked for again (RFC 4585).
  public var supportsNack = false

  /// A stream of which no more than this is said. Traps for a payload type of more than seven bits.
  public init(port: UInt16, profile: RTPProfile = .plain, payloadType: UInt8 = 96) {
    precondition(payloadType < 128, "an RTP payload type has seven bits")
    self.port = port
    self.profile = profile
    self.payloadType = payloadType
  }

  /// Whether nothing is sent for now.
  var isSwitchedOff: Bool { port == 0 || direction == .inactive }

  /// Whether packets are encrypted. Some programs give a key with a plain profile, and mean it.
  public var isProtected: Bool { profile.isSecure || !crypto.isEmpty }

  /// The number of a header extension; nil = the stream does not carry it.
  public func identifier(ofExtension uri: String) -> UInt8? {
    headerExtensions.first { $0.uri == uri }?.identifier
  }
}
