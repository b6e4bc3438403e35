import ChannelTestSupport
import Channels
import Effects
import Engine
import Platform
import Signalling
import TestSupport
import Testing

/// Engines over loopback, with real sockets and live pipelines.
@Suite(.timeLimit(.minutes(10)), .serialized) struct RtcEngineTests {
  @Test("each user hears exactly the other one before mixing", .shows("C1", "C4"))
  func hear() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let (ann, bob) = (try Listener(relay, tone: 400), try Listener(relay, tone: 700))
    let joined = try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    #expect(joined.uid == 7 && joined.channel == "lobby")
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8), options: .broadcaster)
    // One after the other: on a busy machine both are seldom free of concealment at the same moment.
    #expect(eventually { bob.amplitude(400, of: 7) > 8_000 })
    #expect(eventually { ann.amplitude(700, of: 8) > 8_000 })
    #expect(bob.amplitude(700, of: 7) < 2_000 && ann.amplitude(400, of: 8) < 2_000)
    #expect(bob.engine.users.map(\.uid) == [7] && ann.engine.users.map(\.uid) == [8])
    ann.engine.leave()
    #expect(eventually { bob.engine.users.isEmpty && relay.users(of: "lobby") == [8] })
    ann.engine.destroy()
    bob.engine.destroy()
  }

  @Test("the delegate gets every event in order, and nothing after destroy", .shows("D2", "D3", "C19"))
  func delegate() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let log = DelegateLog()
    let (ann, bob) = (try Listener(relay, tone: 400, delegate: log), try Listener(relay, tone: 700))
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    #expect(eventually { log.calls.contains("published") })
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8), options: .broadcaster)
    bob.engine.muteLocalAudio(true)
    #expect(eventually { log.calls.contains("didAudioMuted 8 true") })
    bob.engine.destroy()
    #expect(eventually { log.calls.contains("didOffline 8 0") })
    ann.engine.leave()
    #expect(eventually { log.calls.contains("didLeaveChannel") })
    #expect(
      log.calls == [
        "state 2/0", "state 3/1", "didJoinChannel lobby 7", "published", "didJoined 8", "didAudioMuted 8 true",
        "didOffline 8 0", "state 1/5", "didLeaveChannel",
      ])
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7))
    ann.engine.leave()
    ann.engine.destroy()
    #expect(log.calls.count { $0 == "didLeaveChannel" } == 1)
  }

  @Test("a refused token is the error of the join, and a new join may follow", .shows("C5", "C8"))
  func refused() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let log = DelegateLog()
    let ann = try Listener(relay, tone: nil, delegate: log)
    defer { ann.engine.destroy() }
    await #expect(throws: ChannelError(.invalidToken, "bad token", cause: .token)) {
      try await ann.engine.join(channel: "lobby", token: "bad", user: .uid(7))
    }
    #expect(ann.engine.getConnectionState() == .failed)
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7))
    #expect(eventually { log.calls.last == "didJoinChannel lobby 7" })
    #expect(
      log.calls == [
        "state 2/0", "error 110", "state 5/8", "state 2/0", "state 3/1", "didJoinChannel lobby 7",
      ])
  }

  @Test("a closure takes the place of didJoinChannel", .shows("C6"))
  func closure() throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let log = DelegateLog()
    let ann = try Listener(relay, tone: nil, delegate: log)
    defer { ann.engine.destroy() }
    let joined = Guarded<[String]>([])
    try ann.engine.joinChannel(byToken: "good", channelId: "lobby", uid: 7) { channel, uid, elapsed in
      joined.withLock { $0.append("\(channel) \(uid) \(elapsed >= 0)") }
    }
    #expect(eventually { joined.withLock { $0 } == ["lobby 7 true"] })
    #expect(log.calls == ["state 2/0", "state 3/1"])
  }

  @Test("several channels at once are heard apart, each with its own delegate", .shows("C1"))
  func severalChannels() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let (ann, bob, eve) = (
      try Listener(relay, tone: nil), try Listener(relay, tone: 400), try Listener(relay, tone: 700)
    )
    defer { for user in [ann, bob, eve] { user.engine.destroy() } }
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8), options: .broadcaster)
    try await eve.engine.join(channel: "hall", token: "good", user: .uid(9), options: .broadcaster)
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7))
    let log = DelegateLog()
    let hall = try ann.engine.joinEx(channel: "hall", token: "good", user: .uid(7), delegate: log)
    #expect(eventually { ann.amplitude(400, of: 8) > 8_000 })
    #expect(eventually { ann.amplitude(700, of: 9, in: "hall") > 8_000 })
    #expect(ann.amplitude(700, of: 9) == 0 && ann.amplitude(400, of: 8, in: "hall") == 0)
    #expect(log.calls == ["state 2/0", "state 3/1", "didJoinChannel hall 7", "didJoined 9"])
    #expect(throws: ChannelError.self) {
      try ann.engine.joinEx(channel: "lobby", token: "good", user: .uid(7))
    }
    hall.leave()
    #expect(eventually { relay.users(of: "hall") == [9] && relay.users(of: "lobby") == [7, 8] })
  }

  @Test("a mute silences a user at once, and the sound returns", .shows("C4"))
  func mutes() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let (ann, bob) = (try Listener(relay, tone: 400), try Listener(relay, tone: nil))
    defer { for user in [ann, bob] { user.engine.destroy() } }
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8))
    #expect(eventually { bob.amplitude(400, of: 7) > 8_000 })
    bob.engine.muteRemote(7, true)
    #expect(eventually { bob.hasNothing(of: 7) })
    bob.engine.muteRemote(7, false)
    #expect(eventually { bob.amplitude(400, of: 7) > 8_000 })
    ann.engine.muteLocalAudio(true)
    #expect(eventually { bob.amplitude(400, of: 7) < 100 })
    ann.engine.muteLocalAudio(false)
    #expect(eventually { bob.amplitude(400, of: 7) > 8_000 })
    bob.engine.muteAllRemote(true)
    #expect(eventually { bob.hasNothing(of: 7) })
  }

  @Test("users return after a restart of the relay, and hear each other again", .shows("C9"))
  func restart() async throws {
    let relay = try LoopbackRelay()
    let (ann, bob) = (try Listener(relay, tone: 400), try Listener(relay, tone: nil))
    defer { for user in [ann, bob] { user.engine.destroy() } }
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8))
    #expect(eventually { bob.amplitude(400, of: 7) > 8_000 })
    relay.stop()
    #expect(eventually { bob.amplitude(400, of: 7) < 100 })
    var second: LoopbackRelay?
    #expect(
      eventually {
        second = try? LoopbackRelay(port: relay.port)
        return second != nil
      })
    defer { second?.stop() }
    #expect(eventually { bob.amplitude(400, of: 7) > 8_000 })
    #expect(second?.users(of: "lobby") == [7, 8])
  }

  @Test("an awaited join without a relay throws the reason within its timeout", .shows("C8"))
  func unreached() async throws {
    let relay = try LoopbackRelay()
    let ann = try Listener(relay, tone: nil)
    defer { ann.engine.destroy() }
    relay.stop()
    do throws(ChannelError) {
      try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), timeout: .milliseconds(300))
      Issue.record("joined")
    } catch {
      #expect(error.message.contains("does not accept connections"))
    }
    #expect(ann.engine.getConnectionState() == .failed)
  }

  @Test("a diagnosis names the causes of the engine, and those of the relay", .shows("F19"))
  func diagnosis() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let ann = try Listener(relay, tone: nil)
    defer { ann.engine.destroy() }
    #expect(try await ann.engine.diagnose().map(\.cause) == [.notJoined])
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7))
    #expect(
      try await ann.engine.diagnose(8) == [DiagnosisFinding(uid: 8, cause: .packetsFlow, sentence: "packets flow")])
    #expect(try await ann.engine.diagnose().contains { $0.cause == .nobody })
    try ann.engine.pipeline.users.setPlaybackVolume(Volume(0))
    #expect(try await ann.engine.diagnose(8).map(\.cause) == [.noVolume])
    ann.engine.pipeline.stop()
    #expect(try await ann.engine.diagnose(8).map(\.cause) == [.notRunning, .noVolume])
  }

  @Test("events come as a sequence, and through the program's executor", .shows("D2"))
  func sequence() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let queue = Guarded<[@Sendable () -> Void]>([])
    let log = DelegateLog()
    let engine = try RtcEngine(
      appID: "demo", relay: relay.url,
      options: RtcEngineOptions(executor: { call in queue.withLock { $0.append(call) } }), delegate: log)
    defer { engine.destroy() }
    let connection = try engine.joinEx(channel: "lobby", token: "good", user: .uid(7), delegate: log)
    var states: [ConnectionState] = []
    for await event in connection.events {
      if case .stateChanged(let state, _) = event { states.append(state) }
      if case .joined = event { connection.leave() }
      if case .left = event { break }
    }
    #expect(states.suffix(2) == [.connected, .disconnected])
    #expect(log.calls.isEmpty)
    for call in queue.withLock({ $0 }) { call() }
    #expect(log.calls == ["state 2/0", "state 3/1", "didJoinChannel lobby 7", "state 1/5", "didLeaveChannel"])
  }

  @Test("the first stream of events begins with the connection", .shows("D2"))
  func firstStream() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let engine = try RtcEngine(appID: "demo", relay: relay.url)
    defer { engine.destroy() }
    let connection = try engine.joinEx(channel: "lobby", token: "good", user: .uid(7))
    #expect(eventually { connection.state == .connected })
    connection.leave()
    var isJoined = false
    for await event in connection.events {
      if case .joined = event { isJoined = true }
      if case .left = event { break }
    }
    #expect(isJoined)
  }

  @Test("streams report when they start, flow, are muted and end", .shows("D6"))
  func streamStates() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let (spoken, heard) = (StreamStateLog(), StreamStateLog())
    let ann = try Listener(relay, tone: 400, delegate: spoken)
    let bob = try Listener(relay, tone: nil, delegate: heard)
    defer { for user in [ann, bob] { user.engine.destroy() } }
    try await bob.engine.join(channel: "lobby", token: "good", user: .uid(8), options: .audience)
    try await ann.engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    #expect(eventually { heard.states.last == "7 2 to 3" })
    bob.engine.muteRemote(7, true)
    #expect(eventually { heard.states.last == "7 3 to 1" })
    ann.engine.muteLocalAudio(true)
    #expect(eventually { spoken.own.last == "own 3 to 1" })
    ann.engine.leave()
    #expect(eventually { heard.states.last == "7 1 to 0" && spoken.own.last == "own 1 to 0" })
    #expect(spoken.own == ["own 0 to 2", "own 2 to 3", "own 3 to 1", "own 1 to 0"])
    #expect(heard.states == ["own 0 to 1", "7 0 to 2", "7 2 to 3", "7 3 to 1", "7 1 to 0"])
  }
}
