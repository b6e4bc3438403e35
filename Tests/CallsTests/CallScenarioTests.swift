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
  }
}
