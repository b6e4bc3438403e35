import JSON

/// End of a client's relay to another channel, at the relay's own instance. The other destinations stay.
public struct MediaRelayEndedEvent: Hashable, Sendable, MessageContent {
  static let type = "mediaRelayEnded"

  /// Channel of the client.
  public let channel: ChannelName
  /// Channel that gets no more audio.
  public let destination: ChannelName
  /// Number of the reason; a number that this version does not have counts as `general`.
  public let code: ChannelErrorCode
  /// Sentence to show: the fault, its place and the remedy.
  public let sentence: String

  /// Whether the reason is a token of the client's own channel.
  public let isOfSource: Bool

  /// Creates an event.
  public init(
    channel: ChannelName, destination: ChannelName, code: ChannelErrorCode, sentence: String, isOfSource: Bool = false
  ) {
    self.channel = channel
    self.destination = destination
    self.code = code
    self.sentence = sentence
    self.isOfSource = isOfSource
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    destination = try fields.require("destination", fields.channel("destination"))
    code = try fields.require("code", fields.number("code", unknown: ChannelErrorCode.general))
    sentence = try fields.require("sentence", fields.text("sentence", bytes: 1...MessageLimits.sentenceByteCount))
    isOfSource = try fields.flag("ofSource") ?? false
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    json.field("destination", destination.text)
    json.field("code", code.rawValue)
    json.field("sentence", sentence)
    if isOfSource { json.field("ofSource", true) }
  }
}
