import Channels
import Platform
import Signalling
import TestSupport
import Testing

/// Engines over loopback, with real sockets and live pipelines.
@Suite(.timeLimit(.minutes(10))) struct RtcEngineTests {
  @Test("each user hears exactly the other one before mixing", .shows("C1", "C4"))
  func hear() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let (ann, bob) = (try Listener(relay, tone: 400), try Listener(relay, tone: 700))
    let joined = try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    #expect(joined.uid == 7 && joined.channel == "lobby")
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8), options: .broadcaster)
    #expect(eventually { bob.amplitude(400, of: 7) > 12_000 && ann.amplitude(700, of: 8) > 12_000 })
    #expect(bob.amplitude(700, of: 7) < 2_000 && ann.amplitude(400, of: 8) < 2_000)
    #expect(bob.engine.users.map(\.uid) == [7] && ann.engine.users.map(\.uid) == [8])
    ann.engine.leave()
    #expect(eventually { bob.engine.users.isEmpty && relay.users(of: "lobby") == [8] })
    ann.engine.destroy()
    bob.engine.destroy()
  }
}
