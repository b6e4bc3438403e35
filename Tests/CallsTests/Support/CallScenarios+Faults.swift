@testable import Calls

/// Courses of messages, rooms, devices and connections that fail.
extension CallScenarios {
  static let faults: [CallScenario] = [
    CallScenario("a call that is not delivered") { rig in
      rig.acknowledges = false
      rig.call()
      rig.run(to: 100)
      let number = rig.messages.last?.number ?? 0
      rig.take { machine, now in machine.sent(number, SignalError(.noSuchUser, code: -121, "not online"), now) }
    } lines: {
      [
        "0 state calling 31", "0 event 141", "0 send call to 7", "100 error 210 110 -121",
        "100 state prepared 4 'not online'", "100 complete 2 -121",
      ]
    },
    CallScenario("a call without an acknowledgement") { rig in
      rig.acknowledges = false
      rig.call()
      rig.run(to: 4_999)
      rig.acknowledges = true
      rig.run(to: 30_000)
    } lines: {
      [
        "0 state calling 31", "0 event 141", "0 send call to 7", "5000 error 210 110 -1",
        "5000 send cancel failed to 7",
        "5000 state prepared 4 'user 7 has not acknowledged a message within 5 s; check the connections of both'",
        "5000 complete 2 -1",
      ]
    },
    CallScenario("an accept that is sent again while the relay is away") { rig in
      rig.ring()
      rig.acknowledges = false
      rig.accept()
      for _ in 0..<3 {
        let number = rig.messages.last?.number ?? 0
        rig.take { machine, now in machine.sent(number, SignalError(.notConnected, code: -3, "away"), now) }
        rig.run(to: rig.milliseconds + 500)
      }
      let number = rig.messages.last?.number ?? 0
      rig.take { machine, now in machine.sent(number, nil, now) }
    } lines: {
      ringLines + acceptLines.filter { !$0.contains("complete") } + [
        "500 send accept to 7", "1000 send accept to 7", "1500 send accept to 7", "1500 complete 2 ok",
      ]
    },
    CallScenario("an accept that never arrives") { rig in
      rig.ring()
      rig.acknowledges = false
      rig.accept()
      rig.run(to: 4_999)
      rig.acknowledges = true
      rig.run(to: 30_000)
    } lines: {
      ringLines + acceptLines.filter { !$0.contains("complete") } + [
        "5000 error 210 110 -1", "5000 send hangup failed to 7", "5000 leave",
        "5000 state prepared 4 'user 7 has not acknowledged a message within 5 s; check the connections of both'",
        "5000 complete 2 -1", "5000 event 112",
      ]
    },
    CallScenario("a room that cannot be joined") { rig in
      rig.joins = false
      rig.call()
      rig.receive(.accept)
      rig.take { [attempt = rig.attempt] machine, now in machine.failed(attempt, refusal, now) }
    } lines: {
      callLines + [
        "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10", "0 join r1 open",
        "0 error 100 100 -110", "0 send hangup failed to 7", "0 leave", "0 state prepared 1 'no'",
      ]
    },
    CallScenario("a room that cannot be joined before the acceptance") { rig in
      rig.joinsEarly = true
      rig.joins = false
      rig.call()
      rig.take { [attempt = rig.attempt] machine, now in machine.failed(attempt, refusal, now) }
      rig.receive(.accept)
    } lines: {
      callLines + [
        "0 event 10", "0 join r1 silent", "0 error 100 100 -110", "0 leave", "0 send taken dd to 7",
        "0 state connecting 7",
        "0 event 103", "0 event 10", "0 join r1 open",
      ]
    },
    CallScenario("a call that does not connect") { rig in
      rig.call()
      rig.run(to: 2_000)
      rig.receive(.accept)
      rig.run(to: 40_000)
    } lines: {
      callLines + [
        "2000 send taken dd to 7", "2000 state connecting 7", "2000 event 103", "2000 event 10", "2000 join r1 open",
        "2000 event 5", "2000 event 111", "2000 event 107", "17000 send hangup timeout to 7", "17000 leave",
        "17000 state prepared 14", "17000 event 3", "17000 event 112",
      ]
    },
    CallScenario("a call that does not connect at the other user") { rig in
      rig.call()
      rig.receive(.accept)
      rig.receive(.hangup(CallMessage.End(.timeout)))
    } lines: {
      callLines + [
        "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10", "0 join r1 open", "0 event 5",
        "0 event 111", "0 event 107", "0 leave", "0 state prepared 18", "0 event 4", "0 event 112",
      ]
    },
    CallScenario("a microphone that cannot be opened") { rig in
      rig.ring()
      rig.accept()
      rig.take { machine, _ in machine.captureFailed(code: 2, "no device") }
    } lines: {
      ringLines + acceptLines + ["0 error 110 100 2"]
    },
    CallScenario("a preparation that fails") { rig in
      rig.joins = false
      rig.prepare("r2")
      rig.take { [number = rig.preparation] machine, _ in machine.prepared(number, CallError(refusal)) }
      rig.call()
      rig.joins = true
      rig.prepare("r2")
    } lines: {
      [
        "0 preload r2", "0 error 100 100 -110", "0 state failed 0 'no'", "0 complete 2 -110",
        "0 event 9 'call does not fit the state failed, or names another user'", "0 complete 3 -8", "0 preload r2",
        "0 state prepared 0", "0 complete 4 ok",
      ]
    },
    CallScenario("a room of this user that another session takes") { rig in
      rig.ring()
      rig.accept()
      rig.take { [attempt = rig.attempt] machine, now in machine.replaced(attempt, refusal, now) }
      rig.run(to: 3_000)
      rig.hear()
      rig.take { [attempt = rig.attempt] machine, now in machine.failed(attempt, refusal, now) }
    } lines: {
      ringLines + acceptLines + [
        "0 leave", "0 event 112", "1000 event 10", "1000 join r7 open", "1000 event 5", "1000 event 111",
        "1000 event 107",
        "3000 state connected 13", "3000 connected r7 by 7", "3000 event 113", "3000 error 100 100 -110",
        "3000 send hangup failed to 7", "3000 leave", "3000 state prepared 1 'no'",
        "3000 disconnected r7 by 5 after 0", "3000 event 112",
      ]
    },
    CallScenario("a user that accepts while it is muted") { rig in
      rig.joins = false
      rig.call()
      rig.receive(.accept)
      rig.take { [attempt = rig.attempt] machine, now in
        machine.joined(attempt, now)
        machine.peerJoined(attempt, 7)
        machine.peerMuted(attempt, 7, true, now)
      }
      rig.run(to: 10_000)
      rig.hear()
    } lines: {
      callLines + [
        "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10", "0 join r1 open", "0 event 5",
        "0 event 111", "0 event 107", "2000 state connected 13", "2000 connected r1 by 5", "10000 event 113",
      ]
    },
    CallScenario("a user that is muted until its own acceptance") { rig in
      rig.joinsEarly = true
      rig.call()
      rig.take { [attempt = rig.attempt] machine, now in machine.peerMuted(attempt, 7, true, now) }
      rig.run(to: 5_000)
      rig.receive(.accept)
      rig.run(to: 5_500)
      rig.take { [attempt = rig.attempt] machine, now in machine.peerMuted(attempt, 7, false, now) }
      rig.run(to: 9_000)
      rig.hear()
    } lines: {
      callLines + [
        "0 event 10", "0 join r1 silent", "0 event 5", "0 event 111", "0 event 107", "5000 send taken dd to 7",
        "5000 state connecting 7", "5000 event 103", "5000 open", "9000 state connected 13", "9000 connected r1 by 5",
        "9000 event 113",
      ]
    },
    CallScenario("a relay that is lost for good") { rig in
      rig.ring()
      rig.accept()
      rig.hear()
      rig.run(to: 4_000)
      rig.take { [attempt = rig.attempt] machine, now in machine.interrupted(attempt, now) }
      rig.run(to: 30_000)
    } lines: {
      ringLines + acceptLines + [
        "0 state connected 13", "0 connected r7 by 7", "0 event 113", "20000 error 100 100 -1",
        "20000 send hangup failed to 7", "20000 leave",
        "20000 state prepared 1 'the relay is lost for 20 s; check the network'",
        "20000 disconnected r7 by 5 after 20000", "20000 event 112",
      ]
    },
    CallScenario("a relay that comes back") { rig in
      rig.ring()
      rig.accept()
      rig.hear()
      rig.take { [attempt = rig.attempt] machine, now in machine.interrupted(attempt, now) }
      rig.run(to: 15_900)
      rig.take { [attempt = rig.attempt] machine, _ in machine.recovered(attempt) }
      rig.run(to: 60_000)
    } lines: {
      ringLines + acceptLines + ["0 state connected 13", "0 connected r7 by 7", "0 event 113"]
    },
    CallScenario("a message behind a limit of the relay") { rig in
      rig.acknowledges = false
      rig.call()
      let number = rig.messages.last?.number ?? 0
      rig.take { machine, now in machine.sent(number, SignalError(.limited, code: -5, "too many"), now) }
      rig.acknowledges = true
      rig.run(to: 1_000)
    } lines: {
      [
        "0 state calling 31", "0 event 141", "0 send call to 7", "500 send call to 7", "500 event 99",
        "500 complete 2 ok",
      ]
    },
    CallScenario("an accept that a muted caller never has") { rig in
      rig.prepare(timeout: 0)
      rig.ring(timeout: 0)
      rig.joins = false
      rig.acknowledges = false
      rig.accept()
      rig.take { [attempt = rig.attempt] machine, now in
        machine.joined(attempt, now)
        machine.peerJoined(attempt, 7)
        machine.peerMuted(attempt, 7, true, now)
      }
      rig.run(to: 4_999)
      rig.acknowledges = true
      rig.run(to: 60_000)
    } lines: {
      ["0 preload r1", "0 complete 2 ok"] + ringLines + [
        "0 send accept to 7", "0 state connecting 8", "0 event 104", "0 event 10", "0 join r7 open", "0 event 5",
        "0 event 111", "0 event 107", "5000 error 210 110 -1", "5000 send hangup failed to 7", "5000 leave",
        "5000 state prepared 4 'user 7 has not acknowledged a message within 5 s; check the connections of both'",
        "5000 complete 3 -1", "5000 event 112",
      ]
    },
    CallScenario("a muted user that leaves before it counts as heard") { rig in
      rig.joins = false
      rig.call()
      rig.receive(.accept)
      rig.take { [attempt = rig.attempt] machine, now in
        machine.joined(attempt, now)
        machine.peerJoined(attempt, 7)
        machine.peerMuted(attempt, 7, true, now)
      }
      rig.run(to: 500)
      rig.take { [attempt = rig.attempt] machine, now in machine.peerLeft(attempt, 7, .quit, now) }
      rig.run(to: 5_000)
    } lines: {
      callLines + [
        "0 send taken dd to 7", "0 state connecting 7", "0 event 103", "0 event 10", "0 join r1 open", "0 event 5",
        "0 event 111", "0 event 107", "500 event 108 '0'", "2500 send hangup failed to 7", "2500 leave",
        "2500 state prepared 10 'the user has left'", "2500 event 112",
      ]
    },
    CallScenario("an accept of a call that has ended") { rig in
      rig.call()
      let id = rig.machine.callID
      rig.cancel()
      rig.receive(.accept, id: id, device: "ee")
    } lines: {
      callLines + [
        "0 send cancel user to 7", "0 state prepared 11", "0 event 109", "0 complete 3 ok", "0 send hangup failed to 7",
      ]
    },
    CallScenario("a room that is taken while the other user leaves") { rig in
      rig.ring()
      rig.accept()
      rig.hear()
      rig.run(to: 1_000)
      rig.take { [attempt = rig.attempt] machine, now in machine.replaced(attempt, refusal, now) }
      rig.joins = false
      rig.run(to: 2_500)
      rig.take { [attempt = rig.attempt] machine, now in machine.joined(attempt, now) }
      rig.run(to: 10_000)
    } lines: {
      ringLines + acceptLines + [
        "0 state connected 13", "0 connected r7 by 7", "0 event 113", "1000 leave", "1000 event 112", "2000 event 10",
        "2000 join r7 open", "2500 event 5", "2500 event 111", "4500 send hangup failed to 7", "4500 leave",
        "4500 state prepared 10 'the user has left'", "4500 disconnected r7 by 7 after 4500", "4500 event 112",
      ]
    },
    CallScenario("a token that is renewed during a call") { rig in
      rig.ring()
      rig.accept()
      rig.take { machine, _ in machine.renew("t2") }
    } lines: {
      ringLines + acceptLines + ["0 renew t2"]
    },
  ]
}
