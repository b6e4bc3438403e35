@testable import Calls

/// Courses of two calls, of several sessions, and of the end of the interface.
extension CallScenarios {
  static let both: [CallScenario] = [
    CallScenario("simultaneous calls, of which the other one stays") { rig in
      rig.call()
      rig.ring("00")
    } lines: {
      callLines + [
        "0 send cancel simultaneous to 7", "0 event 143", "0 send accept to 7", "0 state connecting 8", "0 event 104",
        "0 event 10", "0 join r7 open", "0 event 5", "0 event 111", "0 event 107",
      ]
    },
    CallScenario("simultaneous calls, of which this one stays") { rig in
      rig.call()
      rig.ring("ff")
      rig.receive(.cancel(CallMessage.End(.simultaneous)), id: "ff")
      rig.receive(.accept)
    } lines: {
      callLines + [
        "0 send call to 7", "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10",
        "0 join r1 open", "0 event 5", "0 event 111", "0 event 107",
      ]
    },
    CallScenario("a third user calls") { rig in
      rig.call()
      rig.ring("ab", from: 9)
    } lines: {
      callLines + ["0 send reject busy to 9"]
    },
    CallScenario("a second session of the callee accepts later") { rig in
      rig.call()
      rig.receive(.accept)
      rig.receive(.accept, device: "ee")
      rig.receive(.reject(CallMessage.End(.user)), device: "ee")
      rig.receive(.hangup(CallMessage.End(.user)), device: "ee")
    } lines: {
      callLines + [
        "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10", "0 join r1 open", "0 event 5",
        "0 event 111", "0 event 107", "0 send taken dd to 7",
      ]
    },
    CallScenario("a hangup that overtakes its accept") { rig in
      rig.call()
      rig.receive(.hangup(CallMessage.End(.user)), id: rig.machine.callID)
    } lines: {
      callLines + ["0 send cancel user to 7", "0 state prepared 10", "0 event 106"]
    },
    CallScenario("a cancel that overtakes its call") { rig in
      rig.receive(.cancel(CallMessage.End(.user)), id: "aa")
      rig.ring("aa")
      rig.run(to: 1_000)
    } lines: {
      []
    },
    CallScenario("the end during a call") { rig in
      rig.call()
      rig.deinitialize()
    } lines: {
      callLines + [
        "0 send cancel user to 7", "0 state prepared 11", "0 event 109", "0 state idle 0", "0 event 1",
        "0 complete 3 ok",
        "0 over",
      ]
    },
    CallScenario("the end while it rings") { rig in
      rig.ring()
      rig.deinitialize()
    } lines: {
      ringLines + [
        "0 send reject user to 7", "0 state prepared 5", "0 event 100", "0 state idle 0", "0 event 1",
        "0 complete 2 ok",
        "0 over",
      ]
    },
    CallScenario("the end during a connected call") { rig in
      rig.ring()
      rig.accept()
      rig.hear()
      rig.deinitialize()
    } lines: {
      ringLines + acceptLines + [
        "0 state connected 13", "0 connected r7 by 7", "0 event 113", "0 send hangup user to 7", "0 leave",
        "0 state prepared 9", "0 event 105", "0 disconnected r7 by 5 after 0", "0 state idle 0", "0 event 1",
        "0 event 112", "0 complete 3 ok", "0 over",
      ]
    },
  ]
}
