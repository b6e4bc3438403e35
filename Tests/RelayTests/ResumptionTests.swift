import Signalling
import TestSupport
import Testing

@testable import Relay

/// Tokens with which a session is resumed: they allow as much as in a renewal, and not more.
@Suite(.timeLimit(.minutes(10))) struct ResumptionTests {
  /// Resumes the session of a client on another connection; returns the sentence of a refusal.
  private static func resume(_ client: SimulatedClient, _ token: String) -> String? {
    client.relay.close(client.connection)
    client.reconnect()
    client.hello(token, resume: client.resume)
    guard case .failed(let report)? = client.messages.last?.message else { return nil }
    return report.sentence
  }

  private static func renew(_ client: SimulatedClient, _ token: String) -> String? {
    client.send(.renewToken(RenewalRequest(id: 9, token: SecretText(token))))
    guard case .failed(let report)? = client.messages.last?.message else { return nil }
    return report.sentence
  }

  @Test(
    "a resume is refused with the sentence of a renewal", .shows("C12", "C20")
  )
  func refused() {
    let token = SimulatedRelay.token(uid: 1, role: .audience)
    let relays = (SimulatedRelay(), SimulatedRelay())
    let clients = [relays.0, relays.1].map { relay in
      let client = relay.client(SimulatedRelay.token(uid: 1))
      client.join(uid: 1)
      return client
    }
    let sentence = Self.resume(clients[0], token)
    #expect(sentence != nil && sentence == Self.renew(clients[1], token))
    #expect(clients[0].takeEvents() == ["welcome", "joined 1 []", "failed -5/10"])
  }

  @Test("a resume from another connection leaves a refused session its own", .shows("C12"))
  func besides() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token())
    client.join(uid: 1)
    let other = relay.client()
    other.hello(SimulatedRelay.token(role: .audience), resume: client.resume)
    #expect(other.takeEvents() == ["failed -5/10"])
    #expect(client.closedCode == nil && relay.core.sessionCount == 1)
  }

  @Test("a refused resume leaves the session to the end of its own token", .shows("C12"))
  func expires() {
    let relay = SimulatedRelay()
    let listener = relay.client(SimulatedRelay.token(uid: 2))
    listener.join(uid: 2)
    let client = relay.client(SimulatedRelay.token(uid: 1, seconds: 10))
    client.join(uid: 1)
    relay.run(500)
    #expect(Self.resume(client, SimulatedRelay.token(uid: 1, role: .audience)) != nil)
    for second in 1...40 {
      listener.send(.ping(PingRequest(id: 1)))
      client.media["lobby"]?.sendPacket(1)
      relay.run(1_000)
      #expect(relay.core.transportCount == (second < 10 ? 2 : 1), "second \(second)")
    }
    #expect(listener.takeTimedEvents().last { !$0.hasSuffix("pong") } == "35000 userLeft 1 1")
  }

  @Test("a resume with another channel's token keeps the ends of channels", .shows("C12"))
  func otherChannel() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1, seconds: 10))
    client.join(uid: 1)
    relay.run(500)
    #expect(Self.resume(client, SimulatedRelay.token(uid: 1, channel: "hall")) == nil)
    for second in 1...12 {
      client.media["lobby"]?.sendPacket(1)
      client.send(.ping(PingRequest(id: 1)))
      relay.run(1_000)
      #expect(relay.core.transportCount == (second < 10 ? 1 : 0), "second \(second)")
    }
    // The session goes on.
    client.join("hall", uid: 1)
    #expect(client.takeEvents().last == "joined 1 []")
  }

  @Test("a channel with a token of its own does not hinder the resume", .shows("C12"))
  func ownToken() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "hall"))
    client.join(uid: 1, token: SimulatedRelay.token(uid: 1))
    #expect(Self.resume(client, SimulatedRelay.token(uid: 1, channel: "hall")) == nil)
    #expect(client.takeEvents().last == "welcome resumed")
  }
}
