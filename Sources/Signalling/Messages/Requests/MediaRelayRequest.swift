import JSON

/// Request of a client to relay its audio to other channels. It names all of them: a channel that it leaves out gets
/// no more audio.
public struct MediaRelayRequest: Hashable, Sendable, MessageContent {
  static let type = "relayMedia"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel of the client.
  public let channel: ChannelName
  /// Token of the client in that channel, with the rights to relay; nil for the token of its join.
  public let token: SecretText?
  /// Other channels, at most `Token.maximumRelayDestinations`; none ends the relay.
  public let destinations: [RelayDestination]
  /// Whether no audio is relayed for now.
  public let paused: Bool

  /// Creates a request.
  public init(
    id: UInt32, channel: ChannelName, token: SecretText? = nil, destinations: [RelayDestination], paused: Bool = false
  ) {
    self.id = id
    self.channel = channel
    self.token = token
    self.destinations = destinations
    self.paused = paused
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    token = try fields.secret("token", bytes: 1...MessageLimits.tokenByteCount)
    paused = try fields.flag("paused") ?? false
    var destinations: [RelayDestination] = []
    let objects = try fields.objects("destinations", atMost: Token.maximumRelayDestinations)
    for (index, fields) in try fields.require("destinations", objects).enumerated() {
      let destination = try RelayDestination(fields)
      guard destination.channel != channel, !destinations.contains(where: { $0.channel == destination.channel }) else {
        throw fields.error("channel", "another channel than the client's, named once; see destination \(index + 1)")
      }
      destinations.append(destination)
    }
    self.destinations = destinations
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.optional("token", token)
    if paused { json.field("paused", true) }
    json.array("destinations") { json in
      for element in destinations { json.object { element.write(to: &$0) } }
    }
  }
}
