import Channels
import Engine
import Platform
import Signalling
import TestSupport
import Testing

/// Calls that are refused without a relay.
@Suite(.timeLimit(.minutes(10))) struct RtcEngineErrorTests {
  private func engine() throws -> RtcEngine { try RtcEngine(appID: "demo", relay: "ws://127.0.0.1:9/") }

  private func code(_ call: () throws -> Void) -> Int? {
    do {
      try call()
      return nil
    } catch {
      return (error as? ChannelError)?.code.rawValue
    }
  }

  @Test("an engine needs an app id, a relay address and a live 48 kHz pipeline", .shows("C5"))
  func creation() {
    #expect(code { _ = try RtcEngine(appID: "", relay: "ws://127.0.0.1:9/") } == -2)
    #expect(code { _ = try RtcEngine(appID: "demo", relay: "http://127.0.0.1:9/") } == -2)
    for pipeline in [try? AudioPipeline(mode: .offline), try? AudioPipeline(sampleRate: 44_100)] {
      #expect(code { _ = try RtcEngine(appID: "demo", relay: "ws://127.0.0.1:9/", pipeline: pipeline) } == -2)
    }
  }

  @Test("channels and accounts have 1 to 64 and 1 to 255 bytes of 89 characters", .shows("C2", "C5"))
  func names() throws {
    let engine = try engine()
    defer { engine.destroy() }
    for name in ["", String(repeating: "a", count: 65), "caf\u{E9}", "a/b"] {
      #expect(code { try engine.joinChannel(byToken: "t", channelId: name, uid: 1) } == -102)
    }
    for account in ["", String(repeating: "a", count: 256), "a\"b"] {
      #expect(code { try engine.joinChannel(byToken: "t", channelId: "lobby", userAccount: account) } == -121)
    }
  }

  @Test("a second join needs a leave before it", .shows("C1", "C5"))
  func twice() throws {
    let engine = try engine()
    defer { engine.destroy() }
    try engine.joinChannel(byToken: "t", channelId: "lobby", uid: 1)
    #expect(code { try engine.joinChannel(byToken: "t", channelId: "hall", uid: 1) } == -17)
    #expect(code { _ = try engine.joinEx(channel: "lobby", token: "t", user: .uid(1)) } == -17)
    #expect(code { _ = try engine.joinEx(channel: "lobby", token: "t", user: .uid(2)) } == nil)
    engine.leave()
    #expect(code { try engine.joinChannel(byToken: "t", channelId: "hall", uid: 1) } == nil)
  }

  @Test("calls without a channel are refused by number", .shows("C5", "C12", "C15"))
  func withoutChannel() throws {
    let engine = try engine()
    #expect(code { try engine.updateChannelOptions(.broadcaster) } == -8)
    #expect(code { try engine.renewToken("t") } == -8)
    try engine.joinChannel(byToken: "t", channelId: "lobby", uid: 1)
    #expect(code { try engine.renewToken("") } == -2)
    #expect(code { try engine.updateChannelOptions(ChannelMediaOptions(profile: .gameFree)) } == -2)
    engine.leave()
    #expect(code { try engine.updateChannelOptions(.broadcaster) } == -8)
    engine.destroy()
    #expect(code { try engine.joinChannel(byToken: "t", channelId: "lobby", uid: 1) } == -7)
    engine.destroy()
  }

  @Test("a join that waits is refused when the engine is left or destroyed", .shows("C5"))
  func abandoned() throws {
    let engine = try engine()
    let codes = Guarded<[Int]>([])
    func join() throws {
      try engine.join(channel: "lobby", token: "t") { result in
        if case .failure(let error) = result { codes.withLock { $0.append(error.code.rawValue) } }
      }
    }
    try join()
    engine.leave()
    #expect(eventually { codes.withLock { $0 } == [-5] })
    try join()
    engine.destroy()
    #expect(codes.withLock { $0 } == [-5, -7])
  }
}
