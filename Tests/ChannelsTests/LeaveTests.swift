import ChannelTestSupport
import Channels
import Engine
import Platform
import TestSupport
import Testing

/// Leaves, their closures, and the delegates of channels.
@Suite(.timeLimit(.minutes(5))) struct LeaveTests {
  /// An engine in the main channel and in two others, with the delegates of all.
  private static func joined() throws -> (rig: EngineRig, others: [RtcConnection], logs: [DelegateLog]) {
    let rig = try EngineRig()
    try rig.start()
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), completion: nil)
    let logs = [DelegateLog(), DelegateLog()]
    let others = try zip(["red", "blue"], logs).map { channel, log in
      try rig.engine.joinEx(channel: channel, token: "", user: .uid(7), delegate: log)
    }
    rig.run(to: 1)
    for log in logs + [rig.log] { log.clear() }
    return (rig, others, logs)
  }

  private static let keepingMicrophone = LeaveOptions(stopsMicrophone: false)

  @Test("a leave ends all channels, and returns before that", .shows("C1"))
  func all() throws {
    let (rig, others, logs) = try Self.joined()
    defer { rig.finish() }
    rig.engine.leave(Self.keepingMicrophone)
    #expect(rig.log.calls.isEmpty && logs.allSatisfy { $0.calls.isEmpty })
    rig.run(to: 2)
    for log in logs + [rig.log] { #expect(log.calls.suffix(2) == ["state 1/5", "didLeaveChannel"], "\(log.calls)") }
    #expect(others.allSatisfy { $0.state == .disconnected } && rig.sessionCount == 0)
  }

  @Test("the closure of a leave takes the place of the delegate's event", .shows("C1"))
  func closure() throws {
    let (rig, others, logs) = try Self.joined()
    defer { rig.finish() }
    let left = Guarded<[String]>([])
    rig.engine.leaveChannelEx(others[0]) { _ in left.withLock { $0.append("red") } }
    rig.run(to: 2)
    #expect(left.withLock { $0 } == ["red"] && logs[0].calls.suffix(1) == ["state 1/5"] && logs[1].calls.isEmpty)
    rig.engine.leaveChannel(Self.keepingMicrophone) { _ in left.withLock { $0.append("lobby") } }
    rig.run(to: 3)
    #expect(left.withLock { $0 } == ["red", "lobby"] && rig.log.calls.suffix(1) == ["state 1/5"])
    #expect(logs[1].calls.suffix(1) == ["didLeaveChannel"])
  }

  @Test("a leave without a channel calls its closure at once", .shows("C1"))
  func nothing() throws {
    let (rig, others, _) = try Self.joined()
    defer { rig.finish() }
    rig.engine.leave()
    rig.run(to: 2)
    let count = Guarded(0)
    rig.engine.leave { _ in count.withLock { $0 += 1 } }
    others[0].leave { _ in count.withLock { $0 += 1 } }
    rig.run(to: 2.1)
    #expect(count.withLock { $0 } == 2)
  }

  @Test("the end of an engine directly behind a leave calls nothing", .shows("C19"))
  func destroyed() throws {
    let (rig, _, logs) = try Self.joined()
    let count = Guarded(0)
    rig.engine.leave { _ in count.withLock { $0 += 1 } }
    rig.finish()
    #expect(count.withLock { $0 } == 0 && rig.log.calls.isEmpty && logs.allSatisfy { $0.calls.isEmpty })
  }

  @Test("a delegate is read, and replaced while the channel is joined", .shows("C1"))
  func delegate() throws {
    let (rig, others, logs) = try Self.joined()
    defer { rig.finish() }
    #expect(rig.engine.delegate === rig.log && others[0].delegate === logs[0])
    let (main, other) = (DelegateLog(), DelegateLog())
    rig.engine.delegate = main
    others[0].delegate = other
    others[1].delegate = nil
    #expect(rig.engine.delegate === main && others[0].delegate === other && others[1].delegate == nil)
    rig.engine.leave(Self.keepingMicrophone)
    rig.run(to: 2)
    #expect([rig.log, logs[0], logs[1]].allSatisfy { $0.calls.isEmpty })
    #expect([main, other].allSatisfy { $0.calls.suffix(1) == ["didLeaveChannel"] })
  }

  @Test("the closure of a further join takes the place of the delegate's event", .shows("C1", "C6"))
  func joinEx() throws {
    let (rig, _, _) = try Self.joined()
    defer { rig.finish() }
    let (log, joined) = (DelegateLog(), Guarded<[String]>([]))
    let note: @Sendable (String, UInt32, Int) -> Void = { channel, uid, _ in
      joined.withLock { $0.append("\(channel) \(uid)") }
    }
    _ = try rig.engine.joinChannelEx(byToken: nil, channelId: "green", uid: 8, delegate: log, joinSuccess: note)
    let account = try rig.engine.joinChannelEx(
      byToken: nil, channelId: "green", userAccount: "ann", delegate: nil, joinSuccess: note)
    rig.run(to: 2)
    let uid = try #require(account.uid)
    #expect(joined.withLock { Set($0) } == ["green 8", "green \(uid)"])
    #expect(log.calls.contains("state 3/1") && !log.calls.contains { $0.hasPrefix("didJoinChannel") })
  }
}
