import Signalling
import TestSupport
import Testing

@testable import Relay

/// Uids, accounts, second joins and resumed sessions.
@Suite(.timeLimit(.minutes(10))) struct UserTests {
  @Test("uid 0 is assigned a uid, and every user another one", .shows("C3"))
  func assigned() throws {
    let relay = SimulatedRelay()
    var uids: Set<UInt32> = []
    for _ in 0..<20 {
      let media = relay.client(SimulatedRelay.token()).join()
      uids.insert(try #require(media.answer?.uid))
    }
    #expect(uids.count == 20 && !uids.contains(0))
  }

  @Test("an account has one uid, also after the relay's restart", .shows("C3"))
  func accounts() throws {
    var uids: [UInt32] = []
    for _ in 0..<2 {
      let relay = SimulatedRelay { $0.resumeSecret = SecretText("0123456789abcdef") }
      let ann = relay.client(SimulatedRelay.token(account: "ann")).join(account: "ann")
      let bob = relay.client(SimulatedRelay.token(account: "bob")).join(account: "bob")
      uids += [try #require(ann.answer?.uid), try #require(bob.answer?.uid)]
      #expect(bob.answer?.users.map(\.account?.text) == ["ann"])
    }
    #expect(uids[0] != uids[1] && uids[0] == uids[2] && uids[1] == uids[3])
  }

  @Test("a second join of a uid replaces the first session", .shows("C1a", "C7", "C8"))
  func replaced() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    let again = relay.client(SimulatedRelay.token(uid: 1))
    again.join(uid: 1)
    #expect(clients[0].takeEvents() == ["failed -5/19"])
    #expect(clients[1].takeEvents() == ["userLeft 1 0", "userJoined 1"])
    #expect(again.takeEvents() == ["welcome", "joined 1 [2]"])
    relay.run(500)
    again.media["lobby"]?.sendPacket(5)
    clients[0].media["lobby"]?.sendPacket(6)
    relay.run(100)
    #expect(clients[1].media["lobby"]?.received.map { $0.payload[0] } == [5])
    #expect(relay.core.transportCount == 2)
  }

  @Test("a resumed session joins again without a report to the others", .shows("C1a", "C9"))
  func resumed() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    let ssrc = clients[1].media["lobby"]?.answer?.users.first?.ssrc
    relay.close(clients[0].connection)
    relay.run(5_000)
    clients[0].reconnect()
    clients[0].hello(SimulatedRelay.token(uid: 1), resume: clients[0].resume)
    clients[0].join(uid: 1)
    relay.run(500)
    clients[0].media["lobby"]?.sendPacket(5)
    clients[1].media["lobby"]?.sendPacket(6)
    relay.run(100)
    #expect(clients[0].takeEvents() == ["welcome resumed", "joined 1 [2]"] && clients[1].takeEvents() == [])
    #expect(clients[1].media["lobby"]?.received.map(\.ssrc) == [ssrc].compactMap(\.self))
    #expect(clients[0].media["lobby"]?.received.map { $0.payload[0] } == [6])
    #expect(relay.core.sessionCount == 2 && relay.core.transportCount == 2)
  }

  @Test("a session resumed beside its open connection ends that connection", .shows("C1a"))
  func moved() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    let other = relay.client()
    other.hello(SimulatedRelay.token(uid: 1), resume: clients[0].resume)
    other.join(uid: 1)
    #expect(other.takeEvents() == ["welcome resumed", "joined 1 [2]"])
    #expect(clients[0].closedCode == 1008 && clients[0].takeEvents() == [] && clients[1].takeEvents() == [])
    relay.close(clients[0].connection)
    #expect(relay.core.sessionCount == 2 && relay.core.connectionCount == 2)
  }

  @Test("a resumed session with fewer rights becomes audience for the others", .shows("C20"))
  func fewerRights() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    clients[0].reconnect()
    clients[0].hello(SimulatedRelay.token(uid: 1, rights: [.subscribe, .hidden]), resume: clients[0].resume)
    #expect(clients[1].takeEvents() == ["userLeft 1 2"])
  }

  @Test("a resume token survives the restart with the secret only", .shows("C1a"))
  func restarted() throws {
    let secret = SecretText("0123456789abcdef")
    let first = SimulatedRelay { $0.resumeSecret = secret }
    let resume = try #require(first.client(SimulatedRelay.token(uid: 7)).resume)
    func continues(_ relay: SimulatedRelay, _ uid: UInt32, _ resume: String, after milliseconds: Int = 0) -> Bool {
      relay.run(milliseconds)
      let client = relay.client()
      client.hello(SimulatedRelay.token(uid: uid, seconds: 1 << 20), resume: SecretText(resume))
      // The channels of the session have ended with the relay.
      #expect(client.welcome?.resumed == false)
      return client.welcome?.session == resume.split(separator: ".").first.map(String.init)
    }
    #expect(continues(SimulatedRelay(seed: 2) { $0.resumeSecret = secret }, 7, resume.text))
    #expect(!continues(SimulatedRelay(seed: 2) { $0.resumeSecret = secret }, 8, resume.text))
    #expect(!continues(SimulatedRelay(seed: 2), 7, resume.text))
    #expect(!continues(SimulatedRelay(seed: 2) { $0.resumeSecret = secret }, 7, resume.text + "A"))
    let day = 86_400_000
    #expect(!continues(SimulatedRelay(seed: 2) { $0.resumeSecret = secret }, 7, resume.text, after: day))
  }

  @Test("one session joins several channels, each with its own media", .shows("C1"))
  func several() throws {
    let relay = SimulatedRelay()
    let clients = (1...2).map { relay.client(SimulatedRelay.token(uid: $0, channel: "*")) }
    for client in clients {
      let uid = client === clients[0] ? UInt32(1) : 2
      client.join("a", uid: uid)
      client.join("b", uid: uid)
    }
    relay.run(500)
    clients[0].media["a"]?.sendPacket(1)
    clients[0].media["b"]?.sendPacket(2)
    relay.run(100)
    #expect(clients[1].media["a"]?.received.map { $0.payload[0] } == [1])
    #expect(clients[1].media["b"]?.received.map { $0.payload[0] } == [2])
    _ = clients[1].takeEvents()
    clients[0].leave("a")
    #expect(clients[1].takeEvents() == ["userLeft 1 0"])
    clients[0].media["b"]?.sendPacket(3)
    relay.run(100)
    #expect(clients[1].media["b"]?.received.map { $0.payload[0] } == [2, 3])
  }

  @Test("a join with another uid in the same channel is refused", .shows("C1"))
  func twice() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token())
    client.join(uid: 1)
    client.join(uid: 2)
    #expect(client.takeEvents() == ["welcome", "joined 1 []", "failed -17"])
  }
}
