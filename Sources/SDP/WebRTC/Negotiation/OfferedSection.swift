/// Audio section of a new offer.
public struct OfferedSection: Sendable {
  /// Name of the section, which later offers keep; 1 to 16 visible characters, as a packet's header extension allows.
  public var mid: String
  /// Direction of the packets.
  public var direction: MediaDirection
  /// Payload type of Opus and preferences for received packets.
  public var opus: OpusPayloadType
  /// Payload type of key presses in 48 kHz; nil without key presses.
  public var telephoneEventType: UInt8?
  /// Stream that the local side sends; nil if it does not send.
  public var stream: SentStream?
  /// Whether the section is switched off. Later offers keep it, since sections keep their index.
  public var isSwitchedOff: Bool

  /// Creates a section.
  public init(
    mid: String, direction: MediaDirection = .sendAndReceive, opus: OpusPayloadType = OpusPayloadType(),
    telephoneEventType: UInt8? = nil, stream: SentStream? = nil, isSwitchedOff: Bool = false
  ) {
    self.mid = mid
    self.direction = direction
    self.opus = opus
    self.telephoneEventType = telephoneEventType
    self.stream = stream
    self.isSwitchedOff = isSwitchedOff
  }
}
