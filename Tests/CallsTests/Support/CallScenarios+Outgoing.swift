@testable import Calls

/// Courses of own calls.
extension CallScenarios {
  static let outgoing: [CallScenario] = [
    CallScenario("an accepted call") { rig in
      rig.call()
      rig.run(to: 1_000)
      rig.receive(.accept)
      rig.run(to: 1_200)
      rig.take { [attempt = rig.attempt] machine, _ in machine.published(attempt) }
      rig.hear()
      rig.run(to: 61_200)
      rig.hangup(7, "bye")
    } lines: {
      callLines + [
        "1000 send taken dd to 7", "1000 state connecting 7", "1000 event 103", "1000 event 10", "1000 join r1 open",
        "1000 event 5", "1000 event 111", "1000 event 107", "1200 event 130", "1200 state connected 13",
        "1200 connected r1 by 5", "1200 event 113", "61200 send hangup user 'bye' to 7", "61200 leave",
        "61200 state prepared 9 'bye'", "61200 event 105 'bye'", "61200 disconnected r1 by 5 after 60000",
        "61200 complete 3 ok", "61200 event 112",
      ]
    },
    CallScenario("a call that the other user ends") { rig in
      rig.call()
      rig.receive(.accept)
      rig.hear()
      rig.run(to: 5_000)
      rig.receive(.hangup(CallMessage.End(.user, "late")))
    } lines: {
      callLines + [
        "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10", "0 join r1 open", "0 event 5",
        "0 event 111", "0 event 107", "0 state connected 13", "0 connected r1 by 5", "0 event 113", "5000 leave",
        "5000 state prepared 10 'late'", "5000 event 106 'late'", "5000 disconnected r1 by 7 after 5000",
        "5000 event 112",
      ]
    },
    CallScenario("a rejected call") { rig in
      rig.call()
      rig.receive(.reject(CallMessage.End(.user, "not now")))
    } lines: {
      callLines + [
        "0 send cancel user 'not now' to 7", "0 state prepared 6 'not now'", "0 event 101 'not now'",
      ]
    },
    CallScenario("a busy callee") { rig in
      rig.call()
      rig.receive(.reject(CallMessage.End(.busy)))
    } lines: {
      callLines + ["0 send cancel busy to 7", "0 state prepared 17", "0 event 117"]
    },
    CallScenario("a cancelled call") { rig in
      rig.call()
      rig.run(to: 2_000)
      rig.cancel()
    } lines: {
      callLines + [
        "2000 send cancel user to 7", "2000 state prepared 11", "2000 event 109", "2000 complete 3 ok",
      ]
    },
    CallScenario("a call that nobody answers") { rig in
      rig.call()
      rig.run(to: 20_000)
    } lines: {
      callLines + ["15000 send cancel timeout to 7", "15000 state prepared 14", "15000 event 3"]
    },
    CallScenario("a call that the callee's time ends") { rig in
      rig.call()
      rig.run(to: 9_000)
      rig.receive(.reject(CallMessage.End(.timeout)))
    } lines: {
      callLines + ["9000 send cancel timeout to 7", "9000 state prepared 18", "9000 event 4"]
    },
    CallScenario("ringing without a limit") { rig in
      rig.prepare(timeout: 0)
      rig.call()
      rig.run(to: 3_600_000)
      rig.cancel()
    } lines: {
      [
        "0 preload r1", "0 complete 2 ok", "0 state calling 31", "0 event 141", "0 send call to 7", "0 event 99",
        "0 complete 3 ok", "3600000 send cancel user to 7", "3600000 state prepared 11", "3600000 event 109",
        "3600000 complete 4 ok",
      ]
    },
    CallScenario("a room that is joined before the acceptance") { rig in
      rig.joinsEarly = true
      rig.call()
      rig.run(to: 800)
      rig.receive(.accept)
      rig.hear()
    } lines: {
      callLines + [
        "0 event 10", "0 join r1 silent", "0 event 5", "0 event 111", "0 event 107", "800 send taken dd to 7",
        "800 state connecting 7", "800 event 103", "800 open", "800 state connected 13", "800 connected r1 by 5",
        "800 event 113",
      ]
    },
  ]
}
