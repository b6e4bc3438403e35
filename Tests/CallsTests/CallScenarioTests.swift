import TestSupport
import Testing

@testable import Calls

/// Courses of calls with their exact order and times. Numbers are those of the tables K4 to K7.
@Suite(.timeLimit(.minutes(1))) struct CallScenarioTests {
  @Test(
    "a course of calls has these states, events and messages", .shows("K3", "K4", "K5", "K6", "K7", "K10"),
    arguments: CallScenarios.all)
  func course(_ scenario: CallScenario) {
    let lines = scenario.run().lines
    #expect(lines == scenario.lines, "\(scenario.name):\n\(lines.joined(separator: "\n"))")
  }

  @Test("each state, reason, event and error comes in a course", .shows("K4", "K5", "K6", "K7"))
  func numbers() {
    var seen = SeenNumbers()
    for scenario in CallScenarios.all { seen.add(scenario.run().seen) }
    #expect(seen.states == Set(CallState.allCases))
    #expect(seen.reasons == Set(CallStateReason.allCases))
    #expect(seen.events == Set(CallEvent.allCases).subtracting([.none]))
    #expect(seen.errors == Set(CallErrorEvent.allCases).subtracting([.normal]))
    #expect(seen.types == Set(CallErrorType.allCases))
  }

  @Test("withdrawn and video's numbers have no case", .shows("K5", "K6", "K7"))
  func reserved() {
    #expect([2, 3, 16, 30, 32].allSatisfy { CallStateReason(rawValue: $0) == nil })
    #expect([7, 102, 115, 119, 120, 140, 142].allSatisfy { CallEvent(rawValue: $0) == nil })
    #expect(CallErrorEvent(rawValue: 200) == nil)
  }

  @Test("an incoming call carries its texts", .shows("K2", "K3", "K8"))
  func info() throws {
    var rig = MachineRig()
    rig.prepare()
    var outputs: [CallOutput] = []
    let message = CallMessage(
      callID: "ab", device: "cd",
      body: .call(
        CallMessage.Invitation(
          room: "r7", type: .audio, ringMilliseconds: 0, userExtension: "Ann", callExtension: "{\"topic\": 1}")))
    rig.machine.receive(message.text, from: 7, 0)
    outputs = rig.machine.takeOutputs()
    let infos = outputs.compactMap { if case .state(_, _, _, let info) = $0 { info } else { nil } }
    #expect(
      infos == [
        [
          "callId": "ab", "roomId": "r7", "remoteUserId": "7", "fromUserExtension": "Ann",
          "callExtension": "{\"topic\": 1}",
        ]
      ])
  }

  @Test("the room of a stranger is connected ahead while it rings alone", .shows("K2"))
  func rooms() {
    var rig = MachineRig()
    rig.prepare()
    func rooms(_ outputs: [CallOutput]) -> [String] {
      outputs.compactMap { output in
        switch output {
        case .preload(_, let room, let token): "preload \(room) \(token)"
        case .release(let room): "release \(room)"
        case .join(_, let room, let token, _, _): "join \(room) \(token)"
        default: nil
        }
      }
    }
    func ring(_ id: String) -> [String] {
      let invitation = CallMessage.Invitation(room: "room\(id)", type: .audio, ringMilliseconds: 0)
      rig.machine.receive(CallMessage(callID: id, device: "dd", body: .call(invitation)).text, from: 7, 0)
      return rooms(rig.machine.takeOutputs())
    }
    #expect(ring("a1") == ["preload rooma1 t"])
    #expect(ring("a2") == ["release rooma1", "preload rooma2 t"])
    rig.machine.reject(7, nil, completion: nil, 0)
    #expect(rooms(rig.machine.takeOutputs()) == ["release rooma2"])
    // A token that comes while it rings is that of the join.
    _ = ring("a3")
    rig.machine.renew("t2")
    rig.machine.accept(7, completion: nil, 0)
    #expect(rooms(rig.machine.takeOutputs()) == ["join rooma3 t2"])
    rig.machine.hangup(7, nil, completion: nil, 0)
    #expect(rooms(rig.machine.takeOutputs()) == ["release rooma3"])
    // The prepared room stays connected.
    rig.machine.call(9, .audio, nil, completion: nil, 0)
    rig.machine.cancelCall(completion: nil, 0)
    #expect(rooms(rig.machine.takeOutputs()) == [])
    // Another preparation takes its place, and the end releases that.
    rig.machine.prepare(PrepareConfig(roomID: "r2", rtcToken: "t"), completion: nil)
    #expect(rooms(rig.machine.takeOutputs()) == ["release r1", "preload r2 t"])
    rig.machine.deinitialize(completion: nil, 0)
    #expect(rooms(rig.machine.takeOutputs()) == ["release r2"])
  }

  @Test("a flood of calls takes a bounded memory", .shows("K10"))
  func flood() {
    var ended = EndedCalls()
    for number in 0..<10_000 { ended.insert(String(number, radix: 16), of: 7, 0) }
    #expect((0..<10_000).count { ended.contains(String($0, radix: 16), of: 7) } == 16)
    ended.insert("aa", of: 9, 0)
    for number in 0..<10_000 { ended.insert(String(number, radix: 16), of: 8, 0) }
    #expect(ended.contains("aa", of: 9) && !ended.contains("aa", of: 8))
    for user in 100..<1_000 as Range<UInt32> { ended.insert("aa", of: user, 0) }
    #expect((100..<1_000).count { ended.contains("aa", of: $0) } == 512)
    ended.insert("bb", of: 1, 61_000_000_000)
    #expect((100..<1_000).count { ended.contains("aa", of: $0) } == 0)
  }

  @Test("a user that calls too often rings no more, and costs few answers", .shows("K10"))
  func rates() {
    var rig = MachineRig()
    rig.prepare()
    _ = rig.takeLines()
    for number in 0..<100 { rig.ring(String(0x100 + number, radix: 16)) }
    // The calls of one user ring for one time in all.
    #expect(rig.takeLines().count { $0.contains("calling 33") } == 5)
    rig.run(to: 14_999)
    #expect(rig.machine.state == .calling)
    rig.run(to: 15_000)
    #expect(rig.machine.state == .prepared)
    rig.call()
    let before = rig.messages.count
    for number in 0..<1_000 { rig.ring(String(0x1000 + number, radix: 16), from: UInt32(100 + number)) }
    #expect(rig.messages.count - before == 10)
    rig.cancel()
    // A blocked user costs nothing.
    rig.take { machine, now in machine.block([7], now) }
    rig.run(to: 60_000)
    _ = rig.takeLines()
    rig.ring("ab")
    #expect(rig.machine.state == .prepared && rig.takeLines() == [])
    // One that rings is rejected.
    rig.ring("ac", from: 9)
    rig.take { machine, now in machine.block([7, 9], now) }
    #expect(rig.machine.state == .prepared && rig.takeLines().contains("60000 send reject user to 9"))
  }

  @Test("ids of calls differ, and are those of the messages", .shows("K3"))
  func ids() throws {
    var rig = MachineRig()
    rig.prepare()
    var ids: Set<String> = []
    for _ in 0..<100 {
      rig.call()
      let id = try #require(rig.machine.callID)
      #expect(try CallMessage(reading: rig.messages.last?.text ?? "").callID == id && id.utf8.count == 32)
      ids.insert(id)
      rig.cancel()
      #expect(rig.machine.callID == nil)
    }
    #expect(ids.count == 100)
  }

  @Test("the times of a message are those of the ringing", .shows("K9"))
  func expiry() {
    var rig = MachineRig()
    rig.prepare(timeout: 9_000)
    rig.machine.call(7, .audio, nil, completion: nil, 0)
    let expiries = rig.machine.takeOutputs().compactMap {
      if case .send(_, _, _, let expiry) = $0 { expiry } else { nil }
    }
    #expect(expiries == [.seconds(9)])
    // A later attempt has the rest of it.
    rig.machine.sent(rig.machine.sent.keys.first ?? 0, SignalError(.notConnected, code: -3, ""), 2_000_000_000)
    rig.machine.poll(2_500_000_000)
    let later = rig.machine.takeOutputs().compactMap { if case .send(_, _, _, let expiry) = $0 { expiry } else { nil } }
    #expect(later == [.milliseconds(6_500)])
  }
}
