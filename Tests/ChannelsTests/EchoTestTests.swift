import ChannelTestSupport
import Channels
import Engine
import Platform
import RelayTestSupport
import Signalling
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct EchoTestTests {
  private func code(_ call: () throws -> Void) -> Int? {
    do {
      try call()
      return nil
    } catch {
      return (error as? ChannelError)?.code.rawValue
    }
  }

  @Test(
    "an echo test plays the voice back through the relay", .shows("D14"), arguments: [2, 3.5, 10])
  func echo(interval: Double) throws {
    let rig = try EngineRig(tone: 1..<1.5)
    try rig.start()
    try rig.engine.startEchoTest(interval: .seconds(interval))
    rig.run(to: interval + 3)
    // The path adds the delays of devices, codec and jitter buffer: less than 200 ms.
    #expect(rig.playedTone(0..<interval + 1) < 0.001)
    let heard = rig.playedTone(interval + 1.2..<interval + 1.5)
    #expect(abs(heard - 0.5) < 0.05, "\(heard)")
    #expect(rig.playedTone(interval + 1.9..<interval + 2.9) < 0.001)
    #expect(abs(rig.recordedTone(1.2..<1.5) - 0.5) < 0.01)
    #expect(rig.recordedTone(interval + 1..<interval + 2.9) < 0.001)
    rig.finish()
  }

  @Test("a stopped echo test leaves no user at the relay and no sound", .shows("D14"))
  func stop() throws {
    let rig = try EngineRig()
    try rig.start()
    try rig.engine.startEchoTest(withInterval: 2)
    rig.run(to: 3)
    #expect(rig.sessionCount == 2)
    #expect(rig.playedTone(2.5..<2.9) > 0.4)
    try rig.engine.stopEchoTest()
    rig.run(to: 4)
    #expect(rig.sessionCount == 0)
    #expect(rig.playedTone(3.2..<3.9) < 0.001)
    try rig.engine.startEchoTest()
    rig.run(to: 7)
    #expect(rig.playedTone(6.5..<6.9) > 0.4)
    rig.finish()
  }

  @Test("joins are refused with -8 during an echo test, and allowed after it", .shows("D14"))
  func joins() throws {
    let rig = try EngineRig()
    try rig.start()
    let engine = rig.engine
    func join() throws { try engine.join(channel: "lobby", token: "", user: .uid(7), completion: nil) }
    try engine.startEchoTest()
    #expect(code(join) == -8)
    #expect(code { _ = try engine.joinEx(channel: "hall", token: "", user: .uid(7)) } == -8)
    #expect(code { try engine.startEchoTest() } == -8)
    rig.run(to: 0.5)
    try engine.stopEchoTest()
    #expect(code { try engine.stopEchoTest() } == -5)
    try join()
    #expect(code { try engine.startEchoTest() } == -8)
    rig.run(to: 1)
    #expect(engine.getConnectionState() == .connected)
    #expect(code { try engine.startEchoTest() } == -8)
    engine.leave()
    rig.run(to: 1.5)
    try engine.startEchoTest()
    rig.finish()
    #expect(code { try engine.startEchoTest() } == -7)
  }

  @Test("a join right behind an echo test has its own states alone", .shows("C8", "D14"))
  func joinBehind() throws {
    let rig = try EngineRig()
    try rig.start()
    try rig.engine.startEchoTest()
    rig.run(to: 1)
    try rig.engine.stopEchoTest()
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), completion: nil)
    rig.run(to: 2)
    #expect(rig.log.calls.filter { $0.hasPrefix("state ") } == ["state 2/17", "state 3/17", "state 2/0", "state 3/1"])
    rig.finish()
  }

  @Test("an interval outside of 2 to 10 s is refused with -2", .shows("D14"))
  func arguments() throws {
    let rig = try EngineRig()
    for interval in [Duration.zero, .milliseconds(1_999), .milliseconds(10_001), .seconds(-3)] {
      #expect(code { try rig.engine.startEchoTest(interval: interval) } == -2)
    }
    // A refused test does not run.
    #expect(code { try rig.engine.stopEchoTest() } == -5)
    rig.finish()
  }

  @Test(
    "a relay that needs a token takes one for uid 0, and refuses others", .shows("D14"), arguments: [0, 7, nil])
  func tokens(uid: UInt32?) throws {
    let rig = try EngineRig(needsToken: true)
    try rig.start()
    let token = try uid.map { uid in
      TokenSigner(EngineRig.secret).sign(
        try Token(
          app: MemoryNetworks.app, scope: .channel(ChannelName("echo of ann")!), user: .uid(uid),
          expires: Int64(EngineRig.unixSeconds + 60)))
    }
    try rig.engine.startEchoTest(token: token ?? "")
    rig.run(to: 3)
    #expect((rig.playedTone(2.5..<2.9) > 0.4) == (uid == 0))
    #expect(rig.log.calls.filter { $0.hasPrefix("error") } == (uid == 0 ? [] : ["error 110"]), "\(rig.log.calls)")
    let state = uid == 0 ? "state 3/17" : uid == nil ? "state 5/6" : "state 5/8"
    #expect(rig.log.calls.filter { $0.hasPrefix("state ") } == ["state 2/17", state], "\(rig.log.calls)")
    try rig.engine.stopEchoTest()
    rig.finish()
  }

  @Test("the delegate has the states of an echo test with reason 17", .shows("C8", "D14"))
  func states() throws {
    let rig = try EngineRig()
    try rig.start()
    rig.engine.leave()
    #expect(rig.engine.getConnectionState() == .disconnected)
    try rig.engine.startEchoTest()
    rig.run(to: 5)
    #expect(rig.engine.getConnectionState() == .connected)
    try rig.engine.stopEchoTest()
    rig.run(to: 6)
    let calls = rig.log.calls.filter { !$0.hasPrefix("local ") && !$0.hasPrefix("route ") }
    #expect(calls == ["state 2/17", "state 3/17", "state 1/5"])
    #expect(rig.engine.getConnectionState() == .disconnected)
    #expect(rig.engine.users.isEmpty && rig.engine.connection == nil)
    rig.finish()
  }
}
