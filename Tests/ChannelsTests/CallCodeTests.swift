import Channels
import Foundation
import NetworkIO
import Platform
import Relay
import Signalling
import TestSupport
import Testing

/// Errors of all calls in each state of an engine, as Documentation/Channels.md lists them.
@Suite(.timeLimit(.minutes(5))) struct CallCodeTests {
  /// A call with valid arguments, and one with illegal ones where there are any.
  private struct Call {
    let name: String
    let valid: @Sendable (RtcEngine) async throws -> Void
    var illegal: [(code: Int, call: @Sendable (RtcEngine) async throws -> Void)] = []
  }

  private static let secret = try! TokenSecret(keyID: "s", bytes: Array("a secret of 32 bytes and no more".utf8).span)

  /// Token of user 7 for any channel.
  private static let token = TokenSigner(secret).sign(
    try! Token(
      app: AppID("demo")!, scope: .anyChannel, user: .uid(7), role: .audience,
      expires: Int64(Date().timeIntervalSince1970) + 3_600))

  private static var calls: [Call] {
    [
      Call(
        name: "join",
        valid: { engine in
          try engine.joinChannel(byToken: "t", channelId: "lobby", uid: 7)
          engine.leave()
        },
        illegal: [
          (-102, { engine in try engine.joinChannel(byToken: "t", channelId: "", uid: 7) }),
          (
            -121,
            { engine in try engine.joinChannel(byToken: "t", channelId: "a", userAccount: "")
            }
          ),
        ]),
      Call(
        name: "joinEx",
        valid: { engine in
          try engine.joinChannelEx(byToken: "t", channelId: "hall", uid: 7, delegate: nil).leave()
        },
        illegal: [
          (
            -102,
            { engine in
              _ = try engine.joinChannelEx(byToken: "t", channelId: "a/b", uid: 7, delegate: nil)
            }
          ),
          (
            -121,
            { engine in
              _ = try engine.joinChannelEx(byToken: "t", channelId: "a", userAccount: "", delegate: nil)
            }
          ),
        ]),
      Call(
        name: "renewToken", valid: { engine in try await engine.renewToken("t") },
        illegal: [(-2, { engine in try await engine.renewToken("") })]),
      Call(
        name: "updateChannelOptions",
        valid: { engine in try await engine.updateChannelOptions(.audience) }),
      Call(
        name: "setClientRole", valid: { engine in try await engine.setClientRole(.audience) },
        illegal: [
          (
            -5,
            { engine in
              try engine.setClientRole(.broadcaster, options: ClientRoleOptions(audienceLatencyLevel: .low))
            }
          )
        ]),
      Call(name: "setChannelProfile", valid: { engine in try engine.setChannelProfile(.live) }),
      Call(name: "userInfo", valid: { engine in _ = try engine.userInfo(uid: 7) }),
      Call(
        name: "setSubscribeAudioAllowlist",
        valid: { engine in try engine.setSubscribeAudioAllowlist([5]) },
        illegal: [(-2, { engine in try engine.setSubscribeAudioAllowlist(Array(1...501)) })]),
      Call(
        name: "setSubscribeAudioBlocklist",
        valid: { engine in try engine.setSubscribeAudioBlocklist([5]) },
        illegal: [(-2, { engine in try engine.setSubscribeAudioBlocklist([0]) })]),
      Call(name: "diagnose", valid: { engine in _ = try await engine.diagnose() }),
      Call(
        name: "openSession",
        valid: { engine in
          try await engine.openSession(token: Self.token, user: .uid(7)).close()
        },
        illegal: [
          (
            -121,
            { engine in _ = try await engine.openSession(token: "", user: .account("")) }
          )
        ]
      ),
      Call(
        name: "registerLocalUserAccount",
        valid: { engine in try engine.registerLocalUserAccount("ann") },
        illegal: [(-121, { engine in try engine.registerLocalUserAccount("") })]),
      Call(
        name: "preload",
        valid: { engine in
          try engine.preloadChannel(byToken: "t", channelId: "lobby", uid: 7)
        },
        illegal: [
          (
            -102,
            { engine in try engine.preloadChannel(byToken: "t", channelId: "", uid: 7) }
          ),
          (
            -2,
            { engine in
              try engine.preloadChannel(byToken: "t", channelId: "a", userAccount: "")
            }
          ),
        ]),
      Call(
        name: "updatePreloadChannelToken",
        valid: { engine in try engine.updatePreloadChannelToken(Self.token) },
        illegal: [(-2, { engine in try engine.updatePreloadChannelToken("t") })]),
      Call(
        name: "startEchoTest",
        valid: { engine in
          try engine.startEchoTest(token: "t")
          try engine.stopEchoTest()
        },
        illegal: [(-2, { engine in try engine.startEchoTest(interval: .seconds(1)) })]),
      Call(name: "stopEchoTest", valid: { engine in try engine.stopEchoTest() }),
      Call(
        name: "startAudioRecording",
        valid: { engine in try engine.startAudioRecording("/tmp/audiopipe-never-recorded.wav") }),
      Call(name: "stopAudioRecording", valid: { engine in try engine.stopAudioRecording() }),
      Call(
        name: "getAudioFileInfo", valid: { engine in try engine.getAudioFileInfo("/nowhere/a.wav") },
        illegal: [(-2, { engine in try engine.getAudioFileInfo("") })]),
      Call(
        name: "createDataStream",
        valid: { engine in _ = try engine.createDataStream(reliable: true, ordered: true) }),
      Call(name: "sendStreamMessage", valid: { engine in try engine.sendStreamMessage(1, data: [1]) }),
      Call(
        name: "startOrUpdateChannelMediaRelay",
        valid: { engine in
          try engine.startOrUpdateChannelMediaRelay(
            ChannelMediaRelayConfiguration(destinations: [ChannelMediaInfo(channel: "hall")]))
        }),
      Call(name: "stopChannelMediaRelay", valid: { engine in try engine.stopChannelMediaRelay() }),
      Call(name: "pauseAllChannelMediaRelay", valid: { engine in try engine.pauseAllChannelMediaRelay() }),
      Call(name: "resumeAllChannelMediaRelay", valid: { engine in try engine.resumeAllChannelMediaRelay() }),
    ]
  }

  private static func code(_ engine: RtcEngine, _ call: @Sendable (RtcEngine) async throws -> Void) async -> Int {
    do { try await call(engine) } catch { return (error as? ChannelError)?.code.rawValue ?? 1 }
    return 0
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Names of the public calls of an engine and its connections that throw; one that calls another has that name.
  private static func declared() throws -> Set<String> {
    let folder = root.appendingPathComponent("Sources/Channels/API")
    var names: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let name = file.lastPathComponent
      guard name.hasPrefix("RtcEngine") || name.hasPrefix("RtcConnection"), !name.hasPrefix("RtcEngineDelegate") else {
        continue
      }
      let pieces = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "public func ")
      for (before, piece) in zip(pieces, pieces.dropFirst()) where piece.prefix(while: { $0 != "{" }).contains("throws")
      {
        let comment = before.components(separatedBy: "\n\n").last ?? ""
        // Such as "Calls `RtcConnection.update`."
        let called = comment.firstMatch(of: /\/\/\/ Calls `(?:\w+\.)?(\w+)`/)?.output.1
        let name = String(called ?? piece.prefix { $0.isLetter })
        names.insert(name == "update" ? "updateChannelOptions" : name)
      }
    }
    return names
  }

  /// The rows of the page: the name of a call, and its cells.
  private static func page() throws -> [String: [String]] {
    let text = try String(contentsOf: root.appendingPathComponent("Documentation/Channels.md"), encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "### Errors of calls").last?.components(separatedBy: "\n## ").first)
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0].trimmingCharacters(in: ["`"]), Array($0.dropFirst())) })
  }

  /// The number at the beginning of a cell.
  private static func number(_ cell: String) -> Int? { Int(cell.prefix { "-0123456789".contains($0) }) }

  @Test("every call that throws is on the page", .shows("C5"))
  func complete() throws { #expect(try Set(Self.page().keys) == Self.declared()) }

  @Test("each call has the code of the page in each state", .shows("C5", "C12", "C15"))
  func table() async throws {
    let relay = try RelayServer(
      RelayConfiguration(apps: [RelayApp(id: AppID("demo")!, secret: Self.secret)], mediaAddresses: []),
      at: [SocketAddress(host: "127.0.0.1", port: 0)!])
    try relay.start()
    defer { relay.stop() }
    let page = try Self.page()
    #expect(Set(page.keys) == Set(Self.calls.map(\.name)))
    for call in Self.calls {
      let cells = try #require(page[call.name])
      let engine = try RtcEngine(appID: "demo", relay: "ws://\(relay.localAddresses[0])")
      #expect(await Self.code(engine, call.valid) == Self.number(cells[0]), "\(call.name), never joined")
      for illegal in call.illegal {
        #expect(await Self.code(engine, illegal.call) == illegal.code, "\(call.name), illegal argument")
        #expect(cells[3].contains("\(illegal.code)"), "\(call.name)")
      }
      try engine.joinChannel(byToken: Self.token, channelId: "lobby", uid: 7)
      engine.leave()
      #expect(await Self.code(engine, call.valid) == Self.number(cells[1]), "\(call.name), left")
      _ = try? await engine.join(channel: "lobby", token: "no token", user: .uid(7))
      #expect(engine.getConnectionState() == .failed)
      #expect(await Self.code(engine, call.valid) == Self.number(cells[2]), "\(call.name), failed")
      engine.destroy()
      #expect(await Self.code(engine, call.valid) == -7, "\(call.name), destroyed")
    }
  }

  @Test("the calls of a channel are -7 behind the end of its engine", .shows("C12", "C15"))
  func connection() async throws {
    let engine = try RtcEngine(appID: "demo", relay: "ws://192.0.2.1:9")
    let connection = try engine.joinEx(channel: "hall", token: "t", user: .uid(7))
    engine.destroy()
    let calls: [@Sendable () async throws -> Void] = [
      { try await connection.renewToken("t") },
      { try await connection.update(.audience) },
      { try await connection.setClientRole(.audience) },
      { _ = try await connection.diagnose() },
      { _ = try connection.userInfo(uid: 1) },
      { try connection.setSubscribeAudioAllowlist([5]) },
      { try connection.setSubscribeAudioBlocklist([5]) },
      { _ = try connection.userInfo(userAccount: "ann") },
    ]
    for (index, call) in calls.enumerated() {
      let code = await Self.code(engine) { _ in try await call() }
      #expect(code == -7, "call \(index)")
    }
  }
}
