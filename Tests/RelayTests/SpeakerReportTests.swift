import Signalling
import TestSupport
import Testing

@testable import Relay

/// Reports of the speakers to listeners that want them.
@Suite(.timeLimit(.minutes(10))) struct SpeakerReportTests {
  /// Publishers of a channel, and a listener with the highest uid.
  private final class Room {
    let relay: SimulatedRelay
    let clients: [SimulatedClient]
    var levels: [UInt8]
    private var step = 0

    init(_ count: Int, speakers: Int, listeners: Int = 1) {
      relay = SimulatedRelay { $0.limits.speakers = speakers }
      let relay = relay
      clients = (1...count + listeners).map { number in
        let client = relay.client(SimulatedRelay.token(uid: UInt32(number)))
        client.join(
          uid: UInt32(number), role: number > count ? .audience : .broadcaster, publishes: number <= count,
          speakerEvents: number > count)
        return client
      }
      levels = Array(repeating: 80, count: count)
      relay.run(500)
    }

    var listener: SimulatedClient { clients[clients.count - 1] }

    /// Sends packets of 20 ms from all publishers.
    func run(_ milliseconds: Int) {
      for _ in 0..<milliseconds / 20 {
        step += 1
        for (index, level) in levels.enumerated() {
          clients[index].media["lobby"]?.sendPacket(level + UInt8((step + index) % 3), payloadByteCount: 40)
        }
        relay.run(20)
      }
    }

    /// Reports to the listener since the last call, with their times in milliseconds.
    func takeReports(_ listener: SimulatedClient? = nil) -> [(time: Int, text: String)] {
      (listener ?? self.listener).takeTimedEvents().compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return parts[1].hasPrefix("speakers") ? (Int(parts[0])!, parts[1]) : nil
      }
    }
  }

  @Test("a listener that wants reports gets the uids that it hears", .shows("speakers"))
  func reports() throws {
    let room = Room(4, speakers: 2)
    (room.levels[0], room.levels[2]) = (20, 30)
    room.run(2_000)
    #expect(room.takeReports().last?.text == "speakers [1, 3]")
    room.run(5_000)
    #expect(room.takeReports().isEmpty)
    (room.levels[2], room.levels[3]) = (90, 25)
    room.run(4_000)
    #expect(room.takeReports().map(\.text) == ["speakers [1, 4]"])
    // Publishers take no reports.
    #expect(room.clients.dropLast().allSatisfy { room.takeReports($0).isEmpty })
    room.clients[3].leave()
    room.run(1_500)
    let last = room.takeReports().last?.text
    #expect(last?.contains("4") == false && last?.hasPrefix("speakers [1, ") == true)
  }

  @Test("reports have a distance of 1 s, and the last one is right", .shows("speakers", "attack"))
  func rate() throws {
    let room = Room(6, speakers: 1, listeners: 3)
    var random = SeededGenerator(seed: 5)
    room.run(1_000)
    for client in room.clients { _ = client.takeEvents() }
    for turn in 0..<40 {
      for index in 0..<6 { room.levels[index] = index == turn % 6 ? UInt8.random(in: 10...20, using: &random) : 100 }
      room.run(300)
      // Requests that change nothing cause no report.
      if turn % 4 == 0 { room.listener.update(users: [UserOptions(uid: 77, muted: turn % 8 == 0)]) }
    }
    room.run(2_000)
    for (index, listener) in room.clients.enumerated().dropFirst(6) {
      let reports = room.takeReports(listener)
      #expect(reports.count >= 6 && reports.count <= 15)
      #expect(zip(reports, reports.dropFirst()).allSatisfy { $1.time - $0.time >= 1_000 && $1.text != $0.text })
      let heard = room.relay.core.channels.values.first?.members[UInt32(index + 1)]?.media.speakers.legs.map(
        \.publisherUID)
      #expect(reports.last?.text == heard.map { "speakers \($0)" })
    }
  }

  @Test("a limit that comes and goes is reported, also behind a rejoin", .shows("speakers"))
  func limit() throws {
    let room = Room(3, speakers: 0)
    room.levels = [20, 30, 40]
    room.run(2_000)
    #expect(room.takeReports().isEmpty)
    room.listener.update(speakers: 1)
    room.run(2_000)
    #expect(room.takeReports().map(\.text) == ["speakers [1]"])
    room.listener.update(speakers: 0)
    room.run(2_000)
    #expect(room.takeReports().map(\.text) == ["speakers all"])
    // As many as the limit are heard: the report names them.
    room.listener.update(speakers: 3)
    room.run(2_000)
    #expect(room.takeReports().map(\.text) == ["speakers [1, 2, 3]"])
    room.listener.join(uid: 4, role: .audience, publishes: false, speakers: 2, speakerEvents: true)
    room.run(2_000)
    #expect(room.takeReports().map(\.text) == ["speakers [1, 2]"])
    room.listener.join(uid: 4, role: .audience, publishes: false, speakers: 2)
    room.run(2_000)
    #expect(room.takeReports().isEmpty)
  }

  @Test("a listener behind the end of its token gets no report")
  func cut() throws {
    let relay = SimulatedRelay { $0.limits.speakers = 1 }
    let publisher = relay.client(SimulatedRelay.token(uid: 1))
    publisher.join(uid: 1)
    let listener = relay.client(SimulatedRelay.token(uid: 2, seconds: 3))
    listener.join(uid: 2, role: .audience, publishes: false, speakerEvents: true)
    relay.run(500)
    for index in 0..<400 {
      publisher.media["lobby"]?.sendPacket(20 + UInt8(index % 3), payloadByteCount: 40)
      relay.run(20)
    }
    let texts = listener.takeEvents().filter { $0.hasPrefix("speakers") }
    #expect(texts == ["speakers [1]"])
  }

  @Test("a limit of a channel comes before those of app and relay", .shows("speakers"))
  func channelLimits() throws {
    func app(_ rules: [(String, Int)]) -> RelayApp {
      RelayApp(
        id: SimulatedRelay.app, secret: SimulatedRelay.secret(1), speakers: 4,
        speakerRules: rules.map { SpeakerRule($0, speakers: $1)! })
    }
    var configuration: RelayConfiguration?
    let relay = SimulatedRelay { present in
      let own = app([("hall", 1), ("hall-*", 2), ("open", 0), ("hall-9", 7)])
      present = RelayConfiguration(apps: [own], mediaAddresses: present.mediaAddresses)
      present.limits.speakers = 9
      configuration = present
    }
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    let names = ["hall", "hall-9", "hall2", "open", "lobby"]
    for name in names { client.join(name, uid: 1) }
    func limits() -> [Int?] {
      names.map { name in
        relay.core.channels.values.first { $0.name.text == name }?.ordered.first?.media.speakers.limit
      }
    }
    #expect(limits() == [1, 2, 4, nil, 4])
    var other = try #require(configuration)
    other.apps[SimulatedRelay.app] = app([("*", 3)])
    relay.core.reconfigure(other, nowNanoseconds: relay.now)
    #expect(limits() == [3, 3, 3, 3, 3])
    #expect(["", "a/b", "*a", "a*b", "é*"].allSatisfy { SpeakerRule($0, speakers: 1) == nil })
  }
}
