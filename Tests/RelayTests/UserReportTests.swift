import Relay
import Signalling
import TestSupport
import Testing

/// Reports of a user about itself: its music, and the quality of its own paths.
@Suite(.timeLimit(.minutes(5))) struct UserReportTests {
  /// Reports about a user that another one has had, with their times in milliseconds.
  private static func reports(_ client: SimulatedClient) -> [(milliseconds: Int, report: UserUpdatedEvent)] {
    client.messages.compactMap { time, message in
      if case .userUpdated(let report) = message { (time, report) } else { nil }
    }
  }

  private static func pair(_ users: Int = 2) -> (relay: SimulatedRelay, clients: [SimulatedClient]) {
    let relay = SimulatedRelay()
    let clients = (1...users).map { uid in
      let client = relay.client(SimulatedRelay.token())
      client.join(uid: UInt32(uid), role: uid <= 2 ? .broadcaster : .audience, publishes: uid <= 2)
      return client
    }
    return (relay, clients)
  }

  @Test("music of a user is told to the others, and to newcomers", .shows("M3"))
  func music() {
    let (relay, clients) = Self.pair()
    clients[0].update(music: true)
    clients[0].update(music: true)
    #expect(Self.reports(clients[1]).map(\.report.music) == [true])
    let late = relay.client(SimulatedRelay.token())
    late.join(uid: 9)
    let users = late.messages.compactMap { if case .joined(let answer) = $0.message { answer.users } else { nil } }
    #expect(users.first?.map(\.music) == [true, false])
    clients[0].update(music: false)
    #expect(Self.reports(clients[1]).map(\.report.music) == [true, false])
    #expect(Self.reports(late).map(\.report.music) == [false])
  }

  @Test("the quality of a user is told to the others at most every 2 s", .shows("D10"))
  func quality() {
    let (relay, clients) = Self.pair()
    for grade in 1...6 {
      clients[0].update(quality: UserQuality(sent: grade, received: 1))
      relay.run(300)
    }
    relay.run(4_000)
    let reports = Self.reports(clients[1])
    #expect(reports.compactMap(\.report.quality?.sent) == [1, 6])
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $1.milliseconds - $0.milliseconds >= 2_000 })
    clients[0].update(quality: UserQuality(sent: 6, received: 1))
    relay.run(4_000)
    #expect(Self.reports(clients[1]).count == 2)
  }

  @Test("in a channel of 200 users a quality is told every 8 s at most", .shows("D10"))
  func large() {
    let (relay, clients) = Self.pair(200)
    for second in 0..<20 {
      clients[0].update(quality: UserQuality(sent: 1 + second % 2, received: 1))
      relay.run(1_000)
      for client in clients { client.send(.ping(PingRequest(id: 1))) }
    }
    let times = Self.reports(clients[1]).map(\.milliseconds)
    #expect(times.count == 3 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 8_000 }, "\(times)")
  }

  @Test("the quality of an audience member is told to nobody")
  func audience() {
    let relay = SimulatedRelay()
    let clients = [ClientRole.broadcaster, .audience].enumerated().map { index, role in
      let client = relay.client(SimulatedRelay.token())
      client.join(uid: UInt32(index + 1), role: role, publishes: role == .broadcaster)
      return client
    }
    clients[1].update(music: true, quality: UserQuality(sent: 0, received: 3))
    relay.run(3_000)
    #expect(Self.reports(clients[0]).isEmpty)
  }

  @Test("a grade out of range is refused by name", arguments: [-1, 9])
  func range(grade: Int) {
    let text = #"{"type":"update","id":1,"channel":"lobby","quality":{"sent":\#(grade),"received":1}}"#
    let error = #expect(throws: MessageError.self) { try ClientMessage(reading: text) }
    #expect(error?.field == "quality.sent")
  }
}
