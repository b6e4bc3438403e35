import JSON

/// Answer to `relayMedia`: all of its channels get the audio.
public struct MediaRelayAnswer: Hashable, Sendable, MessageContent {
  static let type = "mediaRelayed"

  /// A channel that gets the audio.
  public struct Destination: Hashable, Sendable {
    /// Channel.
    public let channel: ChannelName
    /// Uid under which the client is heard there.
    public let uid: UInt32

    /// Creates a destination.
    public init(channel: ChannelName, uid: UInt32) {
      self.channel = channel
      self.uid = uid
    }
  }

  /// Id of the request.
  public let id: UInt32
  /// Channel of the client.
  public let channel: ChannelName
  /// Channels that get the audio, in the order of the request.
  public let destinations: [Destination]

  /// Creates an answer.
  public init(id: UInt32, channel: ChannelName, destinations: [Destination]) {
    self.id = id
    self.channel = channel
    self.destinations = destinations
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    var destinations: [Destination] = []
    let objects = try fields.objects("destinations", atMost: Token.maximumRelayDestinations)
    for fields in try fields.require("destinations", objects) {
      destinations.append(Destination(channel: try fields.requiredChannel(), uid: try fields.requiredUID()))
    }
    self.destinations = destinations
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.array("destinations") { json in
      for element in destinations {
        json.object {
          $0.channel(element.channel)
          $0.field("uid", element.uid)
        }
      }
    }
  }
}
