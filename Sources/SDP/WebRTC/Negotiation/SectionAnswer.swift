public import RTP

/// Decision of the local program about an offered audio section.
public enum SectionAnswer: Sendable {
  /// The section is refused with port 0.
  case refuse
  /// The section is accepted.
  case accept(Terms)

  /// Terms of an accepted section.
  public struct Terms: Sendable {
    /// Direction that the local side allows; the answer has the part that the offer allows, too.
    public var direction: MediaDirection
    /// Payload type of Opus among the offered ones; nil, or a type that is not offered: the first.
    public var payloadType: UInt8?
    /// Preferences for received packets.
    public var parameters: OpusFormatParameters
    /// Whether key presses are accepted, in the clock rate of Opus.
    public var acceptsTelephoneEvents: Bool
    /// Stream that the local side sends; nil if it does not send.
    public var stream: SentStream?

    /// Creates terms.
    public init(
      direction: MediaDirection = .sendAndReceive, payloadType: UInt8? = nil,
      parameters: OpusFormatParameters = OpusFormatParameters(), acceptsTelephoneEvents: Bool = true,
      stream: SentStream? = nil
    ) {
      self.direction = direction
      self.payloadType = payloadType
      self.parameters = parameters
      self.acceptsTelephoneEvents = acceptsTelephoneEvents
      self.stream = stream
    }
  }
}
