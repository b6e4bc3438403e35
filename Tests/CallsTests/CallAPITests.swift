import ChannelTestSupport
import Platform
import TestSupport
import Testing

@testable import Calls

/// Calls of two engines over a relay, in virtual time.
@Suite(.timeLimit(.minutes(5))) struct CallAPITests {
  /// Rings from user 5 to user 7.
  private static func ringing(_ rig: CallRig) throws {
    try rig.begin()
    for partner in [rig.ann, rig.bob] { partner.clear() }
    rig.ann.calls.call(7, type: .audio, callExtension: "lunch", completion: rig.ann.outcome("call"))
    rig.run(for: 1)
  }

  @Test("a call rings, connects and ends with the same room", .shows("K2", "K3", "K8", "K9"))
  func whole() throws {
    let rig = try CallRig()
    defer { rig.finish() }
    try Self.ringing(rig)
    let (ann, bob) = (rig.ann, rig.bob)
    #expect(ann.numbers == ["2/31", "141", "99"] && ann.texts.contains("call: ok"), "\(ann.texts)")
    #expect(bob.numbers == ["2/33", "143"] && bob.texts.contains("from user 5 about lunch"), "\(bob.texts)")
    #expect(ann.calls.getCallId() == bob.calls.getCallId() && ann.calls.getCallId().utf8.count == 32)
    bob.calls.accept(5, completion: bob.outcome("accept"))
    rig.run(for: 2)
    #expect(
      ann.numbers == ["2/31", "141", "99", "3/7", "103", "10", "5", "111", "107", "130", "4/13", "113"]
        || ann.numbers == ["2/31", "141", "99", "3/7", "103", "10", "5", "111", "107", "4/13", "113", "130"],
      "\(ann.texts)")
    #expect(Set(bob.numbers) == ["2/33", "143", "3/8", "104", "10", "5", "111", "107", "130", "4/13", "113"])
    #expect(bob.texts.contains("accept: ok") && ann.calls.callState == .connected && bob.calls.callState == .connected)
    let connected = ann.texts.filter { $0.hasPrefix("connected") } + bob.texts.filter { $0.hasPrefix("connected") }
    #expect(connected.count == 2 && connected[0].hasPrefix("connected room-5-1 by 5, I am 5, at 18000000"))
    #expect(connected.last?.hasPrefix("connected room-5-1 by 5, I am 7, at 18000000") == true, "\(connected)")
    let before = Int(rig.rig.seconds * 1_000)
    rig.run(for: 1)
    #expect(rig.heard(by: 5, from: before) != nil && rig.heard(by: 7, from: before) != nil)
    ann.calls.hangup(7, reason: "bye", completion: ann.outcome("hangup"))
    rig.run(for: 0.1)
    let end = Int(rig.rig.seconds * 1_000)
    #expect(bob.texts.contains("106 bye") && ann.texts.contains("105 bye"))
    #expect(ann.texts.contains { $0.hasPrefix("disconnected room-5-1 by 5, I am 5, at 1800000") })
    #expect(bob.texts.contains { $0.hasPrefix("disconnected room-5-1 by 5, I am 7, at 1800000") }, "\(bob.texts)")
    rig.run(for: 2)
    #expect(rig.heard(by: 5, from: end) == nil && rig.heard(by: 7, from: end) == nil)
    #expect(ann.calls.callState == .prepared && bob.calls.callState == .prepared && rig.microphones == [false, false])
    #expect(ann.numbers.suffix(1) == ["112"] && bob.numbers.suffix(1) == ["112"], "\(bob.numbers)")
  }

  @Test("no microphone is open and no packet leaves before an accept", .shows("K8"), arguments: [false, true])
  func microphone(joinsEarly: Bool) throws {
    let rig = try CallRig()
    defer { rig.finish() }
    for partner in [rig.ann, rig.bob] { partner.joinsEarly.withLock { $0 = joinsEarly } }
    try rig.begin()
    #expect(rig.microphones == [false, false])
    let recorded = rig.rig.recordedSampleCount
    rig.ann.calls.call(7, type: .audio, completion: nil)
    var opened: [Bool] = []
    for _ in 0..<500 {
      rig.run(for: 0.01)
      opened += rig.microphones
    }
    #expect(!opened.contains(true))
    #expect(rig.rig.recordedSampleCount == recorded || rig.rig.newestRecordedTone(0.5) == 0)
    #expect(rig.ann.texts.contains("111") == joinsEarly && rig.bob.texts.contains("111") == joinsEarly)
    #expect(rig.heard(by: 5, from: 0) == nil && rig.heard(by: 7, from: 0) == nil)
    #expect(!rig.ann.texts.contains("130") && !rig.bob.texts.contains("130"))
    rig.bob.calls.accept(5, completion: nil)
    rig.run(for: 1)
    #expect(rig.microphones == [true, true] && rig.ann.calls.callState == .connected)
    #expect(rig.ann.texts.contains("130") && rig.bob.texts.contains("130"), "\(rig.bob.texts)")
    rig.bob.calls.hangup(5, completion: nil)
    rig.run(for: 0.1)
    #expect(rig.microphones == [false, false])
  }

  /// From the acceptance to the first sound. The round trip is that from user to user and back: 50 ms to the relay.
  @Test("the first frame comes within the round trips of its path", .shows("K8"), arguments: [false, true])
  func times(joinsEarly: Bool) throws {
    let rig = try CallRig(delayMilliseconds: 25)
    defer { rig.finish() }
    for partner in [rig.ann, rig.bob] { partner.joinsEarly.withLock { $0 = joinsEarly } }
    try rig.begin()
    rig.ann.calls.call(7, type: .audio, completion: nil)
    rig.run(for: 3)
    rig.bob.calls.accept(5, completion: nil)
    rig.run(for: 2)
    let limit = joinsEarly ? 100 + 60 : 2 * 100 + 120
    for partner in [rig.ann, rig.bob] {
      let accepted = try #require(partner.time(of: partner.user == 5 ? "103" : "104"))
      let decoded = try #require(partner.time(of: "113"))
      #expect(decoded - accepted <= limit, "user \(partner.user) after \(decoded - accepted) ms")
      #expect(rig.heard(by: partner.user, from: accepted) != nil)
    }
  }
}
