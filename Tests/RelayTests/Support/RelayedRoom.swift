import Signalling

@testable import Relay

/// A user of the lobby, and six halls to which it may be relayed.
enum RelayedRoom {
  static let halls = (1...6).map { "hall\($0)" }

  /// A token for a user of a channel.
  static func token(_ channel: String, _ uid: UInt32, role: TokenRole = .broadcaster, seconds: Int64 = 3_600) -> String
  {
    SimulatedRelay.token(uid: uid, channel: channel, role: role, seconds: seconds)
  }

  static func join(
    _ relay: SimulatedRelay, _ channel: String, _ uid: UInt32, role: ClientRole = .broadcaster, publishes: Bool = true
  ) -> SimulatedClient {
    let client = relay.client(token(channel, uid))
    client.join(channel, uid: uid, role: role, publishes: publishes)
    return client
  }

  /// User 1 of the lobby, with the right to relay to the halls.
  static func source(_ relay: SimulatedRelay, relayTo: [String] = halls) -> SimulatedClient {
    let client = relay.client(SimulatedRelay.token(uid: 1, relayTo: relayTo))
    client.join(uid: 1)
    return client
  }

  static func send(_ relay: SimulatedRelay, _ client: SimulatedClient, _ count: Int, mark: UInt8 = 5) {
    for _ in 0..<count {
      client.media["lobby"]?.sendPacket(mark)
      relay.run(20)
    }
    relay.run(20)
  }
}
