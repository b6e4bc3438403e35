import Signalling
import TestSupport
import Testing

@testable import Relay

/// Lines about users for the log of the relay.
@Suite(.timeLimit(.minutes(10))) struct UserLogTests {
  @Test("a join, a leave and a refusal are a line each", .shows("relay", "C1"))
  func lines() {
    let relay = SimulatedRelay()
    relay.core.logsUsers = true
    let client = relay.client()
    client.hello(SimulatedRelay.token(uid: 7), info: "desk 3", software: "app/1.0")
    client.join(uid: 8)
    client.join(uid: 7)
    client.leave()
    let texts = "address 198.51.100.2:50000, info \"desk 3\", software \"app/1.0\""
    #expect(
      relay.core.takeUserLog() == [
        "refused: app app-1, channel 'lobby', uid 8, role broadcaster, \(texts), reason -110: "
          + "the token is for uid 7, and the request is for uid 8; sign a token for that user",
        "joined: app app-1, channel 'lobby', uid 7, role broadcaster, \(texts)",
        "left: app app-1, channel 'lobby', uid 7, role broadcaster, \(texts), reason the user has left the channel",
      ])
    #expect(relay.core.takeUserLog() == [])
  }

  @Test("a refused hello is a line with the address", .shows("relay"))
  func hello() {
    let relay = SimulatedRelay()
    relay.core.logsUsers = true
    relay.client().hello(SimulatedRelay.token(secret: 3), software: "app/1.0")
    let lines = relay.core.takeUserLog()
    #expect(lines.count == 1)
    #expect(
      lines[0].hasPrefix("refused: address 198.51.100.2:50000, software \"app/1.0\", reason -110: the token's sig"))
  }

  @Test("a client's text cannot begin a line or end its quotation marks", .shows("relay", "attack"))
  func escapes() {
    let relay = SimulatedRelay()
    relay.core.logsUsers = true
    let client = relay.client()
    client.hello(SimulatedRelay.token(uid: 1), info: "a\", role admin\n\u{1B}[2J\u{202E}\\")
    client.join(uid: 1)
    let line = relay.core.takeUserLog().last ?? ""
    #expect(line.hasSuffix(#"info "a\", role admin\u{A}\u{1B}[2J\u{202E}\\""#), "\(line)")
  }

  @Test("a log that is off keeps nothing, and a full one counts the rest", .shows("relay"))
  func capacity() {
    let relay = SimulatedRelay { $0.limits.requestsPerSecond = 10_000 }
    let client = relay.client(SimulatedRelay.token())
    client.leave()
    #expect(relay.core.takeUserLog() == [])
    relay.core.logsUsers = true
    for _ in 0..<1_234 { client.leave() }
    let lines = relay.core.takeUserLog()
    #expect(lines.count == 1_001 && lines.last == "234 further lines about users are left out")
  }
}
