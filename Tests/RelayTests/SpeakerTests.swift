import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Listeners that hear the loudest publishers only.
@Suite(.timeLimit(.minutes(10))) struct SpeakerTests {
  /// Publishers of a channel, each with a level in dB below overload that moves by 2 dB.
  private final class Room {
    let relay: SimulatedRelay
    let clients: [SimulatedClient]
    var levels: [UInt8]
    var payloadByteCounts: [Int]
    /// Users whose level stands still.
    var frozen: Set<UInt32> = []
    /// Users whose level moves by 1 dB.
    var toggling: Set<UInt32> = []
    private var step = 0

    init(_ count: Int, speakers: Int = 0, wanted: [UInt32?] = [], app: Int? = nil) {
      relay = SimulatedRelay { configuration in
        configuration.limits.speakers = speakers
        guard let app else { return }
        let own = RelayApp(id: SimulatedRelay.app, secret: SimulatedRelay.secret(1), speakers: app)
        configuration = RelayConfiguration(apps: [own], mediaAddresses: configuration.mediaAddresses)
        configuration.limits.speakers = speakers
      }
      let relay = relay
      clients = (1...count).map { number in
        let client = relay.client(SimulatedRelay.token(uid: UInt32(number)))
        client.join(uid: UInt32(number), speakers: wanted.count >= number ? wanted[number - 1] : nil)
        return client
      }
      levels = Array(repeating: 80, count: count)
      payloadByteCounts = Array(repeating: 40, count: count)
      relay.run(500)
    }

    /// Sends packets of 20 ms from everyone.
    func run(_ milliseconds: Int) {
      for _ in 0..<milliseconds / 20 {
        step += 1
        for (index, client) in clients.enumerated() {
          let moves =
            frozen.contains(UInt32(index + 1))
            ? 0 : UInt8((step + index) % (toggling.contains(UInt32(index + 1)) ? 2 : 3))
          client.media["lobby"]?.sendPacket(
            levels[index] + moves, payloadByteCount: payloadByteCounts[index])
        }
        relay.run(20)
      }
    }

    /// Publishers that a listener has heard since the last call, without those of single packets.
    func heard(_ listener: Int, atLeast count: Int = 3) -> [UInt32] {
      let packets = clients[listener - 1].media["lobby"]?.takeReceived().filter { $0.payload.count > 1 } ?? []
      let users = sources(listener)
      return Dictionary(grouping: packets, by: \.ssrc).filter { $0.value.count >= count }.keys
        .compactMap { users[$0] }.sorted()
    }

    /// Publishers by their SSRC at a listener.
    func sources(_ listener: Int) -> [UInt32: UInt32] {
      var users: [UInt32: UInt32] = [:]
      for member in relay.core.channels.values.first?.ordered ?? [] where member.uid == UInt32(listener) {
        for (uid, leg) in member.legs { users[leg.ssrc] = uid }
      }
      return users
    }

    func forget() { for client in clients { _ = client.media["lobby"]?.takeReceived() } }
  }

  @Test("each listener hears the three loudest others", .shows("speakers"))
  func loudest() {
    let room = Room(8, speakers: 3)
    for (index, level) in [20, 60, 25, 70, 30, 65, 35, 75].enumerated() { room.levels[index] = UInt8(level) }
    room.run(400)
    room.forget()
    room.run(400)
    #expect(room.heard(8) == [1, 3, 5] && room.heard(2) == [1, 3, 5])
    // A speaker hears three others.
    #expect(room.heard(1) == [3, 5, 7] && room.heard(7) == [1, 3, 5])
    #expect(room.relay.core.counters.forwarded < 8 * 3 * 50)
  }

  @Test("as many publishers as the limit are all heard from their first packets", .shows("speakers"))
  func few() {
    let room = Room(4, speakers: 3)
    room.run(100)
    for listener in 1...4 { #expect(room.heard(listener).count == 3) }
  }

  @Test("a new speaker is heard within 60 ms, with its last 200 ms", .shows("speakers"))
  func newSpeaker() throws {
    let room = Room(6, speakers: 2)
    (room.levels[0], room.levels[1]) = (20, 25)
    room.run(3_000)
    let listener = try #require(room.clients[5].media["lobby"])
    // One of the two pauses before the new one begins.
    room.levels[0] = 90
    room.run(200)
    room.forget()
    room.levels[2] = 22
    let begin = room.relay.now / 1_000_000
    room.run(1_500)
    let source = try #require(room.sources(6).first { $0.value == 3 }?.key)
    let packets = listener.received.filter { $0.ssrc == source }
    let first = try #require(packets.first?.milliseconds)
    // The way to the relay and back takes 20 ms of it.
    #expect(first - begin <= 60)
    let burst = packets.prefix { $0.milliseconds == first }
    #expect(burst.count >= 9 && burst.count <= 11)
    // The packets before the first loud one are there, and no number is missing.
    #expect(burst.prefix(7).allSatisfy { $0.level ?? 0 >= 80 })
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber &- $0.sequenceNumber == 1 })
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.timestamp &- $0.timestamp == 960 })
  }

  @Test("a speaker that follows another at once loses nothing", .shows("speakers"))
  func successor() throws {
    let room = Room(4, speakers: 1)
    room.levels[0] = 20
    room.run(3_000)
    let listener = try #require(room.clients[3].media["lobby"])
    room.forget()
    let loud = try #require(room.clients[1].media["lobby"]).sequenceNumber
    (room.levels[0], room.levels[1]) = (80, 20)
    room.run(1_000)
    let source = try #require(room.sources(4).first { $0.value == 2 }?.key)
    let packets = listener.received.filter { $0.ssrc == source && $0.payload.count > 1 }
    // The first loud packet is number `loud` of the publisher: 50 packets follow from there.
    let first = try #require(packets.first { $0.level ?? 127 <= 22 })
    #expect(packets.filter { $0.level ?? 127 <= 22 }.count == 50 && loud > 0)
    #expect(first.milliseconds - room.relay.now / 1_000_000 + 1_000 <= 180)
  }

  @Test("noise takes no place in a pause between words", .shows("speakers"))
  func noise() throws {
    let room = Room(4, speakers: 1)
    (room.levels[0], room.levels[1]) = (25, 58)
    room.run(1_000)
    room.forget()
    for _ in 0..<5 {
      room.levels[0] = 90
      room.run(1_500)
      room.levels[0] = 25
      room.run(500)
    }
    #expect(room.heard(4, atLeast: 1) == [1])
  }

  @Test("numbers and timestamps of a speaker that returns continue", .shows("speakers"))
  func returning() throws {
    let room = Room(4, speakers: 1)
    let listener = try #require(room.clients[3].media["lobby"])
    for turn in 0..<6 {
      (room.levels[0], room.levels[1]) = turn % 2 == 0 ? (20, 90) : (90, 20)
      room.run(4_000)
    }
    for user: UInt32 in [1, 2] {
      let source = try #require(room.sources(4).first { $0.value == user }?.key)
      let packets = listener.received.filter { $0.ssrc == source }
      #expect(packets.count > 400)
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber &- $0.sequenceNumber == 1 })
      // Each pause of about 4 s has its length in timestamps.
      let steps = zip(packets, packets.dropFirst()).map { $1.timestamp &- $0.timestamp }
      #expect(steps.allSatisfy { $0 < 48_000 * 9 })
      #expect(steps.contains { $0 > 48_000 * 2 })
      // A packet without a frame says that a pause begins.
      #expect(packets.contains { $0.payload.count == 1 })
    }
  }

  @Test("two speakers of nearly one level do not alternate", .shows("speakers"))
  func hysteresis() throws {
    let room = Room(4, speakers: 1)
    (room.levels[0], room.levels[1]) = (30, 31)
    room.run(10_000)
    #expect(room.heard(4) == [1])
    #expect(room.relay.core.counters.pauses <= 4)
  }

  @Test("listeners with other limits leave the hysteresis of one alone", .shows("speakers"))
  func severalLimits() throws {
    let room = Room(6, speakers: 0, wanted: [nil, nil, nil, 1, 2, 50])
    (room.levels[0], room.levels[1]) = (30, 31)
    room.run(1_000)
    let before = room.relay.core.counters.pauses
    room.run(10_000)
    // Users 4 and 5 announce silent publishers again; nobody alternates.
    #expect(room.heard(4) == [1] && room.relay.core.counters.pauses - before <= 12)
  }

  @Test("a limit that comes or goes is a pause, not a loss", .shows("speakers"))
  func changingLimit() throws {
    let room = Room(4, speakers: 0)
    room.levels = [20, 30, 40, 80]
    let listener = try #require(room.clients[3].media["lobby"])
    room.run(1_000)
    room.clients[3].update(speakers: 1)
    room.run(2_000)
    room.clients[3].update(speakers: 0)
    room.run(1_000)
    for user: UInt32 in 1...3 {
      let source = try #require(room.sources(4).first { $0.value == user }?.key)
      let packets = listener.received.filter { $0.ssrc == source }
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber &- $0.sequenceNumber == 1 })
      #expect(packets.count { $0.payload.count == 1 } == (user == 1 ? 0 : 1))
    }
  }

  @Test("subscriptions by name stay within the limit", .shows("speakers"))
  func manyNames() throws {
    let room = Room(6, speakers: 2)
    room.levels = [20, 30, 40, 50, 60, 80]
    room.clients[5].update(users: (1...5).map { UserOptions(uid: $0, subscribes: true) })
    room.run(1_000)
    room.forget()
    room.run(400)
    #expect(room.heard(6).count == 2)
    for index in 0..<2 { room.clients[index].update(muted: true) }
    room.run(400)
    room.forget()
    room.run(400)
    #expect(room.heard(6) == [3, 4])
  }

  @Test("a recorder hears everybody", .shows("speakers"))
  func recorder() throws {
    let room = Room(4, speakers: 1)
    let recorder = room.relay.client(SimulatedRelay.token(uid: 9, role: .audience, rights: .recorder))
    recorder.join(uid: 9, role: .audience, publishes: false)
    room.relay.run(500)
    room.run(400)
    let sources = Set(recorder.media["lobby"]?.received.map(\.ssrc) ?? [])
    #expect(sources.count == 4)
  }

  @Test("a click does not make a speaker", .shows("speakers"))
  func click() throws {
    let room = Room(4, speakers: 1)
    room.levels[0] = 40
    room.run(1_000)
    room.forget()
    room.levels[1] = 10
    room.run(20)
    room.levels[1] = 80
    room.run(1_000)
    #expect(room.heard(4, atLeast: 1) == [1])
  }

  @Test("a user that is subscribed by name is heard whatever its level", .shows("speakers"))
  func explicit() throws {
    let room = Room(6, speakers: 2)
    (room.levels[0], room.levels[1]) = (20, 30)
    room.clients[5].update(users: [UserOptions(uid: 4, subscribes: true)])
    room.run(1_000)
    room.forget()
    room.run(400)
    #expect(room.heard(6) == [1, 4] && room.heard(5) == [1, 2])
    room.clients[5].update(users: [UserOptions(uid: 1, muted: true)])
    room.run(400)
    room.forget()
    room.run(400)
    #expect(room.heard(6) == [2, 4])
    room.clients[5].update(users: [UserOptions(uid: 1, muted: false), UserOptions(uid: 4, automatic: true)])
    room.run(400)
    room.forget()
    room.run(400)
    #expect(room.heard(6) == [1, 2])
  }

  @Test("a limit is the relay's, the app's or the listener's own", .shows("speakers"))
  func limits() throws {
    let room = Room(6, speakers: 3, wanted: [nil, 1, 5])
    room.levels = [20, 25, 30, 35, 40, 45]
    room.run(1_000)
    room.forget()
    room.run(400)
    #expect(room.heard(6) == [1, 2, 3] && room.heard(2) == [1] && room.heard(3) == [1, 2, 4])
    room.clients[5].update(speakers: 2)
    room.clients[1].update(speakers: 0)
    room.run(400)
    room.forget()
    room.run(400)
    #expect(room.heard(6) == [1, 2] && room.heard(2) == [1, 3, 4])
    let free = Room(6, speakers: 1, app: 0)
    free.run(400)
    #expect(free.heard(6) == [1, 2, 3, 4, 5])
    free.clients[5].update(speakers: 2)
    free.run(400)
    free.forget()
    free.run(400)
    #expect(free.heard(6).count == 2 && free.heard(5).count == 5)
  }

  @Test("a loud claim without a payload, or without movement, ranks last", .shows("speakers", "attack"))
  func lies() throws {
    let room = Room(5, speakers: 2)
    // Users 1 and 2 claim full scale: one with packets of silence, one with a level that stands still.
    room.levels = [0, 0, 60, 65, 70]
    // A level that moves by 1 dB stands still, too.
    room.toggling = [2]
    room.payloadByteCounts[0] = 3
    room.frozen = []
    room.run(3_000)
    room.forget()
    room.run(1_000)
    #expect(room.heard(5) == [3, 4])
  }

  @Test("a louder claim than a close voice gains nothing", .shows("speakers", "attack"))
  func fullScale() throws {
    let room = Room(4, speakers: 1)
    room.levels[0] = 18
    room.run(1_000)
    room.levels[1] = 0
    room.run(1_000)
    room.forget()
    room.run(400)
    #expect(room.heard(4) == [1])
  }

  @Test("a pause is announced again before a receiver takes it for an end", .shows("speakers"))
  func pauses() throws {
    let room = Room(4, speakers: 1)
    room.levels[0] = 20
    room.run(1_000)
    (room.levels[0], room.levels[1]) = (90, 20)
    room.run(40_000)
    let source = try #require(room.sources(4).first { $0.value == 1 }?.key)
    let times = room.clients[3].media["lobby"]?.received.filter { $0.ssrc == source }.map(\.milliseconds) ?? []
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 10_000 })
    #expect(times.last ?? 0 > room.relay.now / 1_000_000 - 10_000)
  }

  @Test("users that join, leave and mute keep the choice whole", .shows("speakers"))
  func churn() throws {
    let room = Room(8, speakers: 2)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let index = Int.random(in: 0..<8, using: &random)
      room.levels[index] = UInt8.random(in: 10...100, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: room.clients[index].update(muted: Bool.random(using: &random))
      case 1: room.clients[index].leave()
      case 2: if room.clients[index].media["lobby"] == nil { room.clients[index].join(uid: UInt32(index + 1)) }
      case 3: room.clients[index].update(speakers: UInt32.random(in: 0...4, using: &random))
      case 4:
        room.clients[index].update(
          users: [UserOptions(uid: UInt32.random(in: 1...8, using: &random), muted: Bool.random(using: &random))])
      default: room.clients[index].update(role: Bool.random(using: &random) ? .audience : .broadcaster)
      }
      room.run(100)
      for member in room.relay.core.channels.values.first?.ordered ?? [] {
        let chosen = member.media.speakers.legs
        #expect(chosen.allSatisfy { $0.isChosen && member.legs[$0.publisherUID] === $0 })
        guard let limit = member.media.speakers.limit else { continue }
        #expect(
          member.legs.values.allSatisfy { leg in
            leg.stream.borrowedLegs.contains { $0.takeUnretainedValue() === leg } == leg.isChosen
          })
        #expect(chosen.count <= limit && member.legs.values.count(where: \.isChosen) == chosen.count)
      }
    }
  }
}
