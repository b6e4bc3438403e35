import Signalling

/// Other channels as `relayMedia` names them.
struct MediaRelayList: Hashable {
  /// Token of the user in its own channel; nil for that of the join.
  let token: SecretText?
  /// Other channels; none ends the relay.
  var destinations: [RelayDestination]
  /// Whether they get no audio for now.
  var isPaused = false

  /// List without a channel.
  static let none = MediaRelayList(token: nil, destinations: [])

  init(token: SecretText?, destinations: [RelayDestination]) {
    self.token = token
    self.destinations = destinations
  }

  /// Checks a configuration of the program.
  ///
  /// - Throws: `.invalidArgument` for no or too many channels, a name that is not valid, a channel twice and the user's
  ///   own one.
  init(_ configuration: ChannelMediaRelayConfiguration, from source: ChannelName) throws(ChannelError) {
    let limit = Token.maximumRelayDestinations
    guard (1...limit).contains(configuration.destinations.count) else {
      throw ChannelError(
        .invalidArgument,
        "a relay to other channels names 1 to \(limit) of them, and this one names \(configuration.destinations.count)"
      )
    }
    var destinations: [RelayDestination] = []
    for info in configuration.destinations {
      guard let name = ChannelName(info.channel) else {
        throw ChannelError(
          .invalidArgument,
          "the name of a channel to relay to has \(ChannelName.rule); \(ChannelName.fault(in: info.channel))")
      }
      guard name != source else {
        throw ChannelError(.invalidArgument, "the channel '\(name)' is the user's own; name other channels to relay to")
      }
      guard !destinations.contains(where: { $0.channel == name }) else {
        throw ChannelError(.invalidArgument, "the channel '\(name)' is named twice; name each channel once")
      }
      destinations.append(
        RelayDestination(
          channel: name, user: info.uid == 0 ? nil : .uid(info.uid), token: Self.secret(info.token)))
    }
    self.init(token: Self.secret(configuration.sourceToken), destinations: destinations)
  }

  private static func secret(_ token: String?) -> SecretText? {
    guard let token, !token.isEmpty else { return nil }
    return SecretText(token)
  }
}
