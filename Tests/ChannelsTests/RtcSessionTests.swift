import ChannelTestSupport
import Channels
import NetworkIO
import Platform
import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Sessions of engines at a relay with sockets on loopback.
@Suite(.timeLimit(.minutes(10))) struct RtcSessionTests {
  private static func makeRelay(port: UInt16 = 0) throws -> RelayServer {
    var configuration = RelayConfiguration(
      apps: [RelayApp(id: AppID("demo")!, secret: nil, allowsAppIDOnly: true)], mediaAddresses: [])
    configuration.resumeSecret = SecretText("resume tokens of a relay")
    configuration.limits.messagesPerSecond = 100_000
    configuration.limits.requestsPerSecond = 100_000
    let relay = try RelayServer(configuration, at: [SocketAddress(host: "127.0.0.1", port: port)!])
    try relay.start()
    return relay
  }

  private static func makeEngine(_ relay: RelayServer, _ log: DelegateLog? = nil) throws -> RtcEngine {
    try RtcEngine(appID: "demo", relay: "ws://\(relay.localAddresses[0])", delegate: log)
  }

  @Test("messages reach users without a channel, and presence is told", .shows("C23"))
  func messages() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let log = DelegateLog()
    let (one, two) = (try Self.makeEngine(relay), try Self.makeEngine(relay, log))
    defer { for engine in [one, two] { engine.destroy() } }
    let ann = try await one.openSession(token: "", user: .uid(1))
    #expect(try await ann.isOnline(.account("bob")) == false)
    #expect(try await ann.send("early", to: .account("bob")) == .noSuchUser)
    let bob = try await two.openSession(token: "", user: .account("bob"))
    #expect(try await ann.isOnline(.account("bob")))
    for number in 1...100 {
      #expect(try await ann.send("\(number)", to: .account("bob")) == .delivered(sessionCount: 1))
    }
    #expect(eventually { log.calls.count { $0.hasPrefix("message") } == 100 })
    #expect(log.calls == (1...100).map { "message \($0) of 1" })
    #expect(relay.statistics.channels == 0 && bob.isOpen && bob.uid != nil)
    bob.close()
    #expect(eventually { relay.statistics.sessions == 1 })
    #expect(try await ann.send("late", to: .account("bob")) == .noSuchUser)
  }

  @Test("restarts of a relay duplicate no message", .shows("C23"))
  func restarts() async throws {
    let first = try Self.makeRelay()
    let port = first.localAddresses[0].port
    let (one, two) = (try Self.makeEngine(first), try Self.makeEngine(first))
    var relay: RelayServer? = consume first
    defer { for engine in [one, two] { engine.destroy() } }
    defer { relay?.stop() }
    let ann = try await one.openSession(token: "", user: .uid(1))
    let bob = try await two.openSession(token: "", user: .uid(2))
    let events = bob.events
    let received = Guarded<[String]>([])
    let reader = Task {
      for await event in events {
        if case .message(_, let body) = event { received.withLock { $0.append(body) } }
      }
    }
    let answered = Guarded<[MessageOutcome]>([])
    for number in 0..<1_000 {
      if number % 250 == 0 {
        while (try? await ann.isOnline(.uid(2))) != true { await Task.yield() }
      }
      // Some are on their way when the relay ends.
      if number % 250 == 200 {
        relay?.stop()
        // The ports are free once the relay is gone; a socket of another program may have one for a while.
        relay = nil
        #expect(
          eventually {
            relay = try? Self.makeRelay(port: port)
            return relay != nil
          })
      }
      while true {
        do throws(ChannelError) {
          try ann.send("\(number)", to: .uid(2)) { result in
            answered.withLock { $0.append((try? result.get()) ?? .unknown) }
          }
          break
        } catch {
          #expect(error.code == .notReady)
          await Task.yield()
        }
      }
    }
    #expect(eventually { answered.withLock { $0.count } == 1_000 })
    let outcomes = answered.withLock { $0 }
    let delivered = outcomes.count { $0 == .delivered(sessionCount: 1) }
    // A relay that ends can lose what it has just written.
    #expect(eventually { received.withLock { $0.count } >= delivered - 200 })
    bob.close()
    await reader.value
    let bodies = received.withLock { $0 }
    #expect(Set(bodies).count == bodies.count && delivered > 0)
    #expect(bodies.compactMap { Int($0) } == bodies.compactMap { Int($0) }.sorted())
  }

  @Test("eight channels of an engine have one WebSocket and one session", .shows("C1"))
  func channels() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    defer { engine.destroy() }
    try await engine.join(channel: "room0", token: "", user: .uid(7), options: .broadcaster)
    let others = try (1..<8).map {
      try engine.joinEx(channel: "room\($0)", token: "", user: .uid(7), options: .broadcaster)
    }
    let session = try await engine.openSession(token: "", user: .uid(7))
    #expect(eventually { others.allSatisfy { $0.state == .connected } })
    #expect(eventually { relay.statistics.transports == 8 })
    #expect(relay.statistics.connections == 1 && relay.statistics.sessions == 1)
    engine.leave()
    #expect(eventually { relay.statistics.channels == 0 && relay.statistics.transports == 0 })
    #expect(relay.statistics.sessions == 1 && session.isOpen)
    session.close()
    #expect(eventually { relay.statistics.connections == 0 })
  }

  @Test("a channel that has failed for good closes its sockets", .shows("C8"))
  func failedChannels() throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let media = Guarded<[WeakMedia]>([])
    var options = RtcEngineOptions()
    options.environment.makeMedia = { _ throws(ChannelError) in
      let new = try UDPMediaNetwork()
      media.withLock { $0.append(WeakMedia(media: new)) }
      return new
    }
    let engine = try RtcEngine(appID: "demo", relay: "ws://\(relay.localAddresses[0])", options: options)
    defer { engine.destroy() }
    let failed = try (1...10).map { try engine.joinEx(channel: "room\($0)", token: "bad", user: .uid(7)) }
    #expect(eventually { failed.allSatisfy { $0.state == .failed } })
    #expect(media.withLock { $0.count } == 10)
    #expect(eventually { media.withLock { $0.allSatisfy { $0.media == nil } } })
    #expect(failed.allSatisfy { $0.failure == nil || $0.failure?.cause == .token })
    for connection in failed { connection.leave() }
    #expect(eventually { failed.allSatisfy { $0.state == .disconnected } })
  }

  @Test("an account has its uid before it joins, and others learn it", .shows("C14"))
  func accounts() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let (log, other) = (DelegateLog(), DelegateLog())
    let (one, two) = (try Self.makeEngine(relay, log), try Self.makeEngine(relay, other))
    defer { for engine in [one, two] { engine.destroy() } }
    try one.registerLocalUserAccount("ann")
    #expect(log.calls.isEmpty)
    let joined = try await one.join(channel: "lobby", token: "", user: .account("ann"), options: .broadcaster)
    #expect(eventually { log.calls.contains("registered ann \(joined.uid)") })
    try await two.join(channel: "lobby", token: "", user: .uid(2), options: .broadcaster)
    #expect(eventually { other.calls.contains("info \(joined.uid) ann") })
    #expect(try two.userInfo(uid: joined.uid) == UserInfo(uid: joined.uid, userAccount: "ann"))
    #expect(try two.userInfo(userAccount: "ann").uid == joined.uid)
    #expect(try one.userInfo(userAccount: "ann").uid == joined.uid)
    for unknown: UInt32 in [2, 3] { #expect(throws: ChannelError.self) { try two.userInfo(uid: unknown) } }
    #expect(throws: ChannelError.self) { try two.userInfo(userAccount: "eve") }
    // In another channel the account has the same uid.
    one.leave()
    let hall = try await one.join(channel: "hall", token: "", user: .account("ann"))
    #expect(hall.uid == joined.uid)
  }

  @Test("calls of a session that cannot be are refused with their codes", .shows("C5", "C23"))
  func errors() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    let ann = try await engine.openSession(token: "", user: .uid(1))
    func code(_ body: () async throws -> Void) async -> ChannelErrorCode? {
      do { try await body() } catch { return (error as? ChannelError)?.code }
      return nil
    }
    #expect(await code { try await ann.send("", to: .uid(2)) } == .invalidArgument)
    #expect(await code { try await ann.send(String(repeating: "x", count: 16_385), to: .uid(2)) } == .invalidArgument)
    #expect(await code { try await ann.send(String(repeating: "x", count: 16_384), to: .uid(2)) } == nil)
    #expect(await code { try await ann.send("x", to: .uid(0)) } == .invalidArgument)
    #expect(await code { try await ann.send("x", to: .account("")) } == .user)
    #expect(await code { _ = try await ann.isOnline(.uid(0)) } == .invalidArgument)
    #expect(await code { try await ann.renewToken("") } == .invalidArgument)
    #expect(await code { _ = try await engine.openSession(token: "", user: .uid(1)) } == .alreadyInChannel)
    #expect(await code { _ = try await engine.openSession(token: "no token", user: .uid(1)) } == .invalidToken)
    #expect(await code { try engine.registerLocalUserAccount("") } == .user)
    ann.close()
    #expect(await code { try await ann.send("x", to: .uid(2)) } == .wrongState)
    let again = try await engine.openSession(token: "", user: .uid(1))
    engine.destroy()
    #expect(await code { try await again.send("x", to: .uid(2)) } != nil)
    #expect(await code { _ = try await engine.openSession(token: "", user: .uid(3)) } == .notInitialised)
  }

  @Test("a closure may use its session when the session ends", .shows("C23"))
  func closures() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    let ended = Guarded<[Bool]>([])
    for _ in 0..<2 {
      let session = try await engine.openSession(token: "", user: .uid(1))
      try session.send("x", to: .uid(2)) { [session] _ in
        let isOpen = session.isOpen
        ended.withLock { $0.append(isOpen) }
      }
      session.close()
    }
    #expect(eventually { ended.withLock { $0.count } == 2 })
    let session = try await engine.openSession(token: "", user: .uid(1))
    try session.send("x", to: .uid(2)) { [session] _ in _ = session.isOpen }
    engine.destroy()
    #expect(!session.isOpen)
  }

  @Test("a registration of an account keeps its open session", .shows("C14"))
  func registered() async throws {
    let (signer, app) = (
      TokenSigner(try TokenSecret(keyID: "s", bytes: Array("a secret of 32 bytes and no more".utf8).span)),
      AppID("demo")!
    )
    let secret = try TokenSecret(keyID: "s", bytes: Array("a secret of 32 bytes and no more".utf8).span)
    let relay = try RelayServer(
      RelayConfiguration(apps: [RelayApp(id: app, secret: secret)], mediaAddresses: []),
      at: [SocketAddress(host: "127.0.0.1", port: 0)!])
    try relay.start()
    defer { relay.stop() }
    let token = signer.sign(
      try Token(app: app, scope: .anyChannel, user: .account(UserAccount("ann")!), expires: 4_000_000_000))
    let log = DelegateLog()
    let engine = try Self.makeEngine(relay, log)
    defer { engine.destroy() }
    try engine.registerLocalUserAccount("ann", token: token)
    let session = try await engine.openSession(token: token, user: .account("ann"))
    try engine.registerLocalUserAccount("ann", token: token)
    #expect(eventually { log.calls.count { $0 == "registered ann \(session.uid ?? 0)" } == 2 }, "\(log.calls)")
    #expect(try await session.isOnline(.account("ann")) && session.isOpen)
  }

  @Test("a session without a user may not send", .shows("C23"))
  func nobody() async throws {
    let relay = try Self.makeRelay()
    defer { relay.stop() }
    let engine = try Self.makeEngine(relay)
    defer { engine.destroy() }
    let session = try await engine.openSession(token: "", user: .uid(0))
    let error = await #expect(throws: ChannelError.self) { try await session.send("x", to: .uid(2)) }
    #expect(error?.code == .user && session.isOpen)
  }

  @Test("a session of a relay that is not there fails with its reason", .shows("C8", "C23"))
  func unreached() async throws {
    let engine = try RtcEngine(appID: "demo", relay: "ws://127.0.0.1:9")
    defer { engine.destroy() }
    let error = await #expect(throws: ChannelError.self) {
      try await engine.openSession(token: "", user: .uid(1), timeout: .milliseconds(300))
    }
    #expect(error?.message.contains("127.0.0.1:9") == true, "\(String(describing: error))")
  }
}

/// A network that the engine alone may keep.
private struct WeakMedia: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the test asks only whether the object lives.
  weak var media: UDPMediaNetwork?
}
