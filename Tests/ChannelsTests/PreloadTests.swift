import ChannelTestSupport
import Foundation
import NetworkIO
import Platform
import Relay
import Signalling
import TestSupport
import Testing

@testable import Channels

/// Preloads of engines at a relay with sockets on loopback.
@Suite(.timeLimit(.minutes(5))) struct PreloadTests {
  private static let secret = try! TokenSecret(keyID: "s", bytes: Array("a secret of 32 bytes and no more".utf8).span)

  private static func makeRelay() throws -> RelayServer {
    var configuration = RelayConfiguration(
      apps: [RelayApp(id: AppID("demo")!, secret: secret, allowsAppIDOnly: true)], mediaAddresses: [])
    configuration.resumeSecret = SecretText("resume tokens of a relay")
    let relay = try RelayServer(configuration, at: [SocketAddress(host: "127.0.0.1", port: 0)!])
    try relay.start()
    return relay
  }

  private static func makeEngine(_ relay: RelayServer, _ log: DelegateLog? = nil) throws -> RtcEngine {
    try RtcEngine(appID: "demo", relay: "ws://\(relay.localAddresses[0])", delegate: log)
  }

  /// Token of user 7 for any channel.
  private static func token(_ scope: TokenScope = .anyChannel, seconds: Int64 = 3_600) -> String {
    let now = Int64(Date().timeIntervalSince1970)
    return TokenSigner(secret).sign(
      try! Token(app: AppID("demo")!, scope: scope, user: .uid(7), role: .audience, expires: now + seconds))
  }

  @Test("a preloaded channel is joined with its transport, more than once", .shows("C13"))
  func join() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let (one, two) = (try Self.makeEngine(relay), try Self.makeEngine(relay))
    defer { for engine in [one, two] { engine.destroy() } }
    try await one.preload(channel: "lobby", token: "", user: .account("ann"))
    try await two.join(channel: "lobby", token: "", user: .uid(2), options: .broadcaster)
    #expect(relay.statistics.transports == 2 && two.users.isEmpty)
    for round in 1...3 {
      try await one.join(channel: "lobby", token: "", user: .account("ann"), options: .audience)
      // The join has taken the preload's transport, and made none.
      #expect(relay.statistics.transports == 2 && one.users.map(\.uid) == [2])
      #expect(relay.statistics.counters.preloadedJoins == round)
      one.leave()
      // The preload returns behind the leave.
      #expect(eventually { one.connection?.state == .disconnected && relay.statistics.transports == 2 })
      try await one.preload(channel: "lobby", token: "", user: .account("ann"))
    }
  }

  @Test("an engine keeps its 20 newest preloads", .shows("C13"))
  func newest() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    defer { engine.destroy() }
    for number in 1...23 { try await engine.preload(channel: "room\(number)", token: "", user: .uid(7)) }
    #expect(eventually { relay.statistics.transports == 20 })
    var channels: [String] = []
    try engine.loop.usePreloads { preload, _ in channels.append(preload.channel.text) }
    #expect(channels == (4...23).map { "room\($0)" })
    // A newer one of the same channel and user takes the place of the former one.
    for _ in 1...3 { try await engine.preload(channel: "room23", token: "", user: .uid(7)) }
    #expect(eventually { relay.statistics.transports == 20 })
  }

  @Test("a preload is refused at the call by the kit's codes", .shows("C13", "C5"))
  func refused() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    func code(_ body: () throws(ChannelError) -> Void) -> ChannelErrorCode? {
      do throws(ChannelError) { try body() } catch { return error.code }
      return nil
    }
    #expect(
      code { () throws(ChannelError) in try engine.preloadChannel(byToken: nil, channelId: "", uid: 7) } == .channelName
    )
    #expect(
      code { () throws(ChannelError) in try engine.preloadChannel(byToken: nil, channelId: "a", userAccount: "") }
        == .invalidArgument)
    for token in ["", "no token", Self.token(.channel(ChannelName("lobby")!))] {
      #expect(code { () throws(ChannelError) in try engine.updatePreloadChannelToken(token) } == .invalidArgument)
    }
    do throws(ChannelError) {
      try await engine.preload(channel: "lobby", token: "a.b.c", user: .uid(7))
      Issue.record("a token of three letters was taken")
    } catch { #expect(error.code == .invalidToken) }
    engine.destroy()
    #expect(
      code { () throws(ChannelError) in try engine.preloadChannel(byToken: nil, channelId: "a", uid: 7) }
        == .notInitialised)
    #expect(
      code { () throws(ChannelError) in try engine.updatePreloadChannelToken(Self.token()) } == .notInitialised)
  }

  @Test("a new token for any channel is that of a user's preloads", .shows("C13"))
  func newToken() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    defer { engine.destroy() }
    let (old, new) = (Self.token(), Self.token(seconds: 7_200))
    for room in ["a", "b", "c"] { try await engine.preload(channel: room, token: old, user: .uid(7)) }
    try engine.updatePreloadChannelToken(new)
    // The preloads connect again with it.
    #expect(
      try eventually {
        let ready = Guarded(0)
        try engine.loop.usePreloads { preload, _ in if preload.isReady { ready.withLock { $0 += 1 } } }
        return ready.withLock { $0 } == 3
      })
    for room in ["a", "b", "c"] {
      try await engine.join(channel: room, token: new, user: .uid(7), options: .audience)
      engine.leave()
    }
    #expect(relay.statistics.counters.preloadedJoins == 3)
  }

  @Test("a join before its preload is ready completes the call of the preload", .shows("C13"))
  func joinAtOnce() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    defer { engine.destroy() }
    let isDone = Guarded(false)
    try engine.preload(channel: "lobby", token: "", user: .uid(7)) { result in
      if case .success = result { isDone.withLock { $0 = true } }
    }
    try await engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience)
    #expect(eventually { isDone.withLock { $0 } })
  }

  @Test("the end of an engine ends the calls that wait for a preload", .shows("C13"))
  func destroy() async throws {
    let engine = try RtcEngine(appID: "demo", relay: "ws://192.0.2.1:9")
    let result = Guarded<ChannelErrorCode?>(nil)
    try engine.preload(channel: "lobby", token: "", user: .uid(7)) { outcome in
      if case .failure(let error) = outcome { result.withLock { $0 = error.code } }
    }
    engine.destroy()
    #expect(result.withLock { $0 } == .notInitialised)
  }
}
