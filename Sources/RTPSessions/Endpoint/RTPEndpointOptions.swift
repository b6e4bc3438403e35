public import MediaStreams
public import Platform
public import RTP

/// Options of an `RTPEndpoint`.
public struct RTPEndpointOptions {
  /// Stream that an endpoint sends.
  public enum Sending: Hashable, Sendable {
    /// Nothing is sent but reports.
    case nothing
    /// A stream in the format of the first source, once that sends.
    case matching
    /// A stream with these options, at once; it needs `remoteAddress`, or begins with the first source.
    case stream(SenderOptions)
  }

  /// Address of the remote party; nil: the origin of the first source's packets (symmetric RTP, RFC 4961).
  public var remoteAddress: SocketAddress?
  /// Whether RTCP uses the port of the packets (RFC 5761), and not the next one.
  public var usesRTCPMux: Bool
  /// Formats of payload types, as both parties have agreed on them. Types without an entry are static ones of RFC 3551,
  /// or Opus from 96 on; a source of samples at such a type is refused.
  public var formats: [UInt8: RTPPayloadFormat]
  /// Stream that the endpoint sends, from the local source of its pipeline.
  public var sending: Sending
  /// Format of key presses (RFC 4733); nil if there are none.
  public var telephoneEvents: TelephoneEventFormat?
  /// SRTP of both directions; nil for plain RTP.
  public var protection: SRTPContextPair?
  /// Policy for requests of lost packets of Opus; nil if none are sent.
  public var requests: NackPolicy?
  /// User of the first source; each further source gets the next free number.
  public var firstUser: UInt32
  /// Whether the number of a source that has ended is free again. Without that, each source has a number of its own.
  public var reusesUsers: Bool
  /// Whether payload types outside `formats` are received: static ones of RFC 3551, and Opus from 96 on.
  public var acceptsOtherTypes: Bool
  /// Channels of received sound, 1 or 2.
  public var channelCount: Int
  /// Largest number of sources at a time; further ones are ignored.
  public var maximumSourceCount: Int
  /// Time without a packet after which a source has ended.
  public var sourceTimeout: Duration

  /// Creates options; the endpoint then answers the first party that sends to it, in the format of that party.
  public init(
    remoteAddress: SocketAddress? = nil, usesRTCPMux: Bool = false, formats: [UInt8: RTPPayloadFormat] = [:],
    sending: Sending = .matching,
    telephoneEvents: TelephoneEventFormat? = TelephoneEventFormat(
      payloadType: 101, clockRate: 8_000), protection: SRTPContextPair? = nil, requests: NackPolicy? = NackPolicy(),
    firstUser: UInt32 = 1, reusesUsers: Bool = true, acceptsOtherTypes: Bool = true, channelCount: Int = 1,
    maximumSourceCount: Int = 16, sourceTimeout: Duration = .seconds(15)
  ) {
    self.remoteAddress = remoteAddress
    self.usesRTCPMux = usesRTCPMux
    self.formats = formats
    self.sending = sending
    self.telephoneEvents = telephoneEvents
    self.protection = protection
    self.requests = requests
    self.firstUser = firstUser
    self.reusesUsers = reusesUsers
    self.acceptsOtherTypes = acceptsOtherTypes
    self.channelCount = channelCount
    self.maximumSourceCount = maximumSourceCount
    self.sourceTimeout = sourceTimeout
  }

  /// Checks the options.
  ///
  /// - Throws: `EngineError` with code `.invalidArgument` and the value that is out of range.
  func validate() throws(EngineError) {
    try JitterBufferOptions(channelCount: channelCount).validate()
    guard maximumSourceCount > 0 else {
      throw EngineError(.invalidArgument, "an endpoint cannot have \(maximumSourceCount) sources; use 1 or more")
    }
    guard sourceTimeout > .zero, sourceTimeout <= .seconds(86_400) else {
      throw EngineError(.invalidArgument, "a source cannot time out after \(sourceTimeout); use up to a day")
    }
  }

  /// Whether the format of a payload type is Opus because nobody has named another.
  func assumesOpus(_ type: UInt8) -> Bool {
    formats[type] == nil && RTPPayloadFormat(staticPayloadType: type) == nil
  }

  /// Returns the format of a payload type; nil if the endpoint does not receive it.
  func format(of type: UInt8) -> RTPPayloadFormat? {
    if let format = formats[type] { return format }
    if !acceptsOtherTypes || type == telephoneEvents?.payloadType { return nil }
    return RTPPayloadFormat(staticPayloadType: type) ?? (type >= 96 ? .opus : nil)
  }
}
