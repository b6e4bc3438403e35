import Signalling
import TestSupport
import Testing

@testable import Relay

/// The user of a session, by `hello` and by its token.
@Suite(.timeLimit(.minutes(10))) struct SessionIdentityTests {
  private static let ann = UserIdentity.account(UserAccount("ann")!)

  @Test(
    "a hello names the token's user, and a token for uid 0 none", .shows("C23", "C20"),
    arguments: [
      (7, nil, nil, UserIdentity.uid(7)), (7, nil, .uid(7), .uid(7)), (7, nil, .uid(8), nil), (7, nil, ann, nil),
      (0, "ann", nil, ann), (0, "ann", ann, ann), (0, "ann", .uid(1), nil), (0, nil, .uid(8), nil),
      (0, nil, ann, nil),
    ] as [(UInt32, String?, UserIdentity?, UserIdentity?)])
  func token(uid: UInt32, account: String?, user: UserIdentity?, expected: UserIdentity?) {
    let relay = SimulatedRelay()
    let client = relay.client()
    client.hello(SimulatedRelay.token(uid: uid, account: account), user: user)
    let isGuest = uid == 0 && account == nil
    #expect(client.takeEvents() == [expected == nil && !isGuest ? "failed -110/8" : "welcome"])
    #expect(relay.core.sessions.values.first?.identity == expected)
  }

  @Test("a token for uid 0 alone makes a session without a user", .shows("C23"))
  func none() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token())
    #expect(client.takeEvents() == ["welcome"] && relay.core.sessions.identities.userCount == 0)
    #expect(relay.core.sessions.values.first?.identity == nil)
  }

  @Test("a client with an app id alone names any user", .shows("C23", "C16"))
  func openApp() {
    let relay = SimulatedRelay()
    let client = relay.client()
    client.hello(app: SimulatedRelay.openApp, user: Self.ann)
    #expect(client.takeEvents() == ["welcome"] && relay.core.sessions.values.first?.identity == Self.ann)
  }

  @Test("a resume as another user begins another session", .shows("C23", "C1a"))
  func otherUser() throws {
    let relay = SimulatedRelay()
    let client = relay.client()
    client.hello(SimulatedRelay.token(uid: 7))
    client.join(uid: 7)
    let (id, resume) = (try #require(client.welcome?.session), client.resume)
    relay.close(client.connection)
    for token in [SimulatedRelay.token(), SimulatedRelay.token(uid: 8), SimulatedRelay.token(account: "ann")] {
      let other = relay.client()
      other.hello(token, resume: resume)
      #expect(other.welcome?.resumed == false && other.welcome?.session != id)
      relay.close(other.connection)
    }
    client.reconnect()
    client.hello(SimulatedRelay.token(uid: 7), resume: resume)
    #expect(client.welcome?.resumed == true && client.welcome?.session == id)
  }

  @Test("a token for uid 0 renews no session of a user", .shows("C23", "C12"))
  func renewed() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 7))
    client.renew(SimulatedRelay.token())
    client.renew(SimulatedRelay.token(uid: 8))
    client.renew(SimulatedRelay.token(uid: 7))
    #expect(client.takeEvents() == ["welcome", "failed -110", "failed -110", "tokenRenewed"])
    #expect(relay.core.sessions.values.first?.identity == .uid(7))
  }

  @Test("an ended session that is resumed at once is the earlier one", .shows("C1a", "C12"))
  func ended() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 7, seconds: 5))
    relay.run(6_000)
    client.hello(SimulatedRelay.token(uid: 7), resume: client.resume)
    #expect(client.takeEvents().suffix(2) == ["failed -109/9", "welcome resumed"])
    #expect(relay.core.sessionCount == 1 && relay.core.sessions.identities.userCount == 1)
  }

  @Test("an account has one uid in all channels, which the welcome names", .shows("C14", "C3"))
  func account() throws {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(account: "ann", channel: "*"))
    let uid = try #require(client.welcome?.uid)
    for channel in ["a", "b", "c"] { #expect(client.join(channel, account: "ann").answer?.uid == uid) }
    #expect(uid != 0 && relay.client(SimulatedRelay.token(uid: 7)).welcome?.uid == nil)
    let other = relay.client()
    other.hello(SimulatedRelay.token(account: "ann", app: SimulatedRelay.otherApp, secret: 2))
    #expect(other.welcome?.uid != nil && other.welcome?.uid != uid)
  }

  @Test("an account gets the next uid in a channel in which its own is taken", .shows("C14", "C3"))
  func collision() throws {
    let relay = SimulatedRelay()
    let ann = relay.client(SimulatedRelay.token(account: "ann", channel: "*"))
    let uid = try #require(ann.welcome?.uid)
    relay.client(SimulatedRelay.token(uid: uid)).join(uid: uid)
    #expect(ann.join(account: "ann").answer?.uid == uid &+ 1)
    #expect(ann.join("hall", account: "ann").answer?.uid == uid)
  }

  @Test("a join's info takes the place of the session's in the log", .shows("relay"))
  func info() {
    let relay = SimulatedRelay()
    relay.core.logsUsers = true
    let client = relay.client()
    client.hello(SimulatedRelay.token(uid: 7, channel: "*"), info: "desk 3")
    client.join("a", uid: 7, info: "stage")
    client.join("b", uid: 7)
    client.join("c", uid: 8, info: "door")
    client.leave("a")
    let infos = relay.core.takeUserLog().map { line in
      line.split(separator: ", ").first { $0.hasPrefix("info ") }.map(String.init) ?? line
    }
    #expect(infos == ["info \"stage\"", "info \"desk 3\"", "info \"door\"", "info \"stage\""])
  }
}
