import Signalling
import TestSupport
import Testing

@testable import Relay

/// Random changes of users that relay their audio to each other's channels.
@Suite(.timeLimit(.minutes(10))) struct RandomMediaRelayTests {
  private static let rooms = ["a", "b", "c", "d"]

  /// What a user's client knows by the messages of the relay.
  private struct View {
    /// Users of its channel, and whether each is muted.
    var users: [UInt32: Bool] = [:]
    /// Channels that hear the user, with the uids there.
    var destinations: [String: UInt32] = [:]

    mutating func take(_ message: RelayMessage) {
      switch message {
      case .joined(let answer): users = Dictionary(uniqueKeysWithValues: answer.users.map { ($0.uid, $0.muted) })
      case .userJoined(let event): users[event.user.uid] = event.user.muted
      case .userLeft(let event): users[event.uid] = nil
      case .userUpdated(let event): if let muted = event.muted { users[event.uid] = muted }
      case .mediaRelayed(let answer):
        destinations = Dictionary(uniqueKeysWithValues: answer.destinations.map { ($0.channel.text, $0.uid) })
      case .mediaRelayEnded(let event): destinations[event.destination.text] = nil
      default: break
      }
    }
  }

  @Test(
    "clients know all users and relays, whatever users do", .shows("C18"), arguments: 1...4, [1, 3])
  func operations(seed: Int, workers: Int) throws {
    let relay = SimulatedRelay(seed: UInt64(seed)) { $0.workerCount = workers }
    var generator = SeededGenerator(seed: UInt64(seed) &+ 2_000)
    let clients = (0..<8).map { index in
      let client = relay.client(
        SimulatedRelay.token(uid: UInt32(index + 1), channel: "*", relayTo: Self.rooms))
      client.join(Self.rooms[index / 2], uid: UInt32(index + 1))
      return client
    }
    relay.run(500)
    var views = Array(repeating: View(), count: clients.count)
    var ended = 0
    for _ in 0..<600 {
      for (index, client) in clients.enumerated() { client.media[Self.rooms[index / 2]]?.sendPacket(UInt8(index + 1)) }
      relay.run(20)
      let index = Int.random(in: 0..<clients.count, using: &generator)
      if Int.random(in: 0..<4, using: &generator) == 0 {
        Self.change(clients[index], Self.rooms[index / 2], &generator, seconds: relay.now / 1_000_000_000)
      }
      for (index, client) in clients.enumerated() {
        for message in client.messages.map(\.message) {
          if case .mediaRelayEnded = message { ended += 1 }
          if case .joined = message, !relay.isRelayed(index, Self.rooms) { views[index].destinations = [:] }
          views[index].take(message)
        }
        _ = client.takeEvents()
      }
      try Self.compare(views, clients, relay)
    }
    #expect(ended > 0 && relay.core.counters.relayedPackets > 200)
    #expect(relay.core.counters.overflownRelayedPackets == 0)
    for client in clients {
      for room in Self.rooms { client.leave(room) }
      relay.close(client.connection)
    }
    #expect(relay.core.channelCount == 0 && relay.core.nextDeadlineNanoseconds == nil)
    #expect(relay.core.forwarders.allSatisfy { $0.relayedUsers.isEmpty && $0.relayedPackets.isEmpty })
  }

  /// Compares the views of the clients with the channels of the relay.
  private static func compare(_ views: [View], _ clients: [SimulatedClient], _ relay: SimulatedRelay) throws {
    for (index, view) in views.enumerated() {
      let member = relay.member(UInt32(index + 1), rooms[index / 2])
      guard let member else { continue }
      // A change that waits for its report is not known yet.
      let others = member.channel.ordered.filter { $0 !== member }
      guard others.allSatisfy({ $0.unannounced == nil }) else { continue }
      let users = Dictionary(uniqueKeysWithValues: others.filter(\.isVisible).map { ($0.uid, $0.isMuted) })
      #expect(view.users == users)
      let relayed = member.relay?.ordered.map { ($0.member.channel.name.text, $0.member.uid) } ?? []
      #expect(view.destinations == Dictionary(uniqueKeysWithValues: relayed))
      #expect(member.media.links.count == relayed.count)
    }
  }

  private static func change(
    _ client: SimulatedClient, _ room: String, _ generator: inout SeededGenerator, seconds: Int
  ) {
    let uid = UInt32(client.number)
    let flag = Bool.random(using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: client.update(room, muted: flag)
    case 1: client.update(room, role: flag ? .broadcaster : .audience)
    case 2: client.update(room, publishes: flag)
    case 3: client.join(room, uid: uid)
    case 4:
      client.leave(room)
      client.join(room, uid: uid)
    case 5: client.relay(room, to: [])
    default:
      let others = rooms.filter { $0 != room }.shuffled(using: &generator).prefix(
        Int.random(in: 1...3, using: &generator))
      client.relay(
        room,
        to: others.map { other in
          // Sometimes the uid of a user of that channel, or of another relay; some tokens end soon.
          let uid = UInt32.random(in: 1...16, using: &generator)
          let end = seconds + Int.random(in: 1...20, using: &generator)
          return (other, SimulatedRelay.token(uid: uid, channel: other, seconds: Int64(end)))
        }, paused: flag)
    }
  }
}

extension SimulatedRelay {
  /// A user that has joined a channel; nil for a relayed one.
  fileprivate func member(_ uid: UInt32, _ channel: String) -> Member? {
    let channel = core.channels.values.first { $0.name.text == channel }
    return channel?.members[uid].flatMap { $0.origin == nil ? $0 : nil }
  }

  /// Whether a user has relays.
  fileprivate func isRelayed(_ index: Int, _ rooms: [String]) -> Bool {
    member(UInt32(index + 1), rooms[index / 2])?.relay != nil
  }
}
