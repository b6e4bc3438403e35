public import RTP

/// Audio section of a WebRTC description: one stream in each direction.
///
/// Source: RFC 8829, section 5.2.1.
public struct AudioSection: Hashable, Sendable {
  /// Name of the section; nil if the description has none.
  public var mid: String?
  /// Port of the `m=` line: 9 before candidates are known, 0 in a section that is bundle-only.
  public var port: UInt16
  /// RTP profile of the `m=` line.
  public var profile: String
  /// Whether the section exists within its bundle only. Source: RFC 9143, section 6.
  public var isBundleOnly = false
  /// Direction of the packets.
  public var direction = MediaDirection.sendAndReceive
  /// ICE and DTLS; nil without an ICE user name and password.
  public var transport: TransportDescription?
  /// Whether RTCP shares the port of RTP.
  public var usesRTCPMux = false
  /// Whether RTCP may omit reports (RFC 5506).
  public var usesReducedSizeRTCP = false
  /// Payload types of Opus, in order of preference; never empty.
  public var opus: [OpusPayloadType]
  /// Payload types of key presses.
  public var telephoneEvents: [TelephoneEventFormat] = []
  /// Numbers of the header extensions.
  public var headerExtensions: [HeaderExtensionMapping] = []
  /// Feedback that the author understands.
  public var feedback: [RTCPFeedback] = []
  /// Names of the media stream and track that the author sends.
  public var streams: [MediaStreamID] = []
  /// Sources that the author sends.
  public var sources: [StreamSource] = []

  /// Profile of new sections.
  public static let defaultProfile = "UDP/TLS/RTP/SAVPF"

  /// Creates a section without a transport and further attributes. Traps without Opus.
  public init(
    mid: String?, port: UInt16 = 9, profile: String = AudioSection.defaultProfile,
    opus: [OpusPayloadType] = [OpusPayloadType()]
  ) {
    precondition(!opus.isEmpty, "an audio section has a payload type of Opus")
    self.mid = mid
    self.port = port
    self.profile = profile
    self.opus = opus
  }

  /// Returns whether the author understands generic NACKs about a payload type.
  public func supportsNack(payloadType: UInt8) -> Bool {
    feedback.contains { $0.value == "nack" && ($0.payloadType == nil || $0.payloadType == payloadType) }
  }

  /// Returns the number of a header extension; nil if the section does not have it.
  public func identifier(ofExtension uri: String) -> UInt8? {
    headerExtensions.first { $0.uri == uri }?.identifier
  }

  /// Payload types that the section describes, as formats of the `m=` line.
  var formats: [String] { opus.map { "\($0.payloadType)" } + telephoneEvents.map { "\($0.payloadType)" } }
}
