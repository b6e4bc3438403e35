@testable import Calls

/// Courses of calls of the other user.
extension CallScenarios {
  static let incoming: [CallScenario] = [
    CallScenario("an accepted incoming call") { rig in
      rig.ring()
      rig.accept()
      rig.receive(.taken(device: rig.machine.device))
      rig.run(to: 300)
      rig.hear()
      rig.run(to: 1_300)
      rig.take { [attempt = rig.attempt] machine, now in machine.peerLeft(attempt, 7, .dropped, now) }
    } lines: {
      ringLines + acceptLines + [
        "300 state connected 13", "300 connected r7 by 7", "300 event 113", "1300 event 108 '1'",
        "1300 send hangup failed to 7", "1300 leave",
        "1300 state prepared 10 'the user was lost'", "1300 disconnected r7 by 7 after 1000", "1300 event 112",
      ]
    },
    CallScenario("a user that leaves the room without a message") { rig in
      rig.ring()
      rig.accept()
      rig.hear()
      rig.take { [attempt = rig.attempt] machine, now in machine.peerLeft(attempt, 7, .quit, now) }
      rig.run(to: 5_000)
    } lines: {
      ringLines + acceptLines + [
        "0 state connected 13", "0 connected r7 by 7", "0 event 113", "0 event 108 '0'", "2000 send hangup failed to 7",
        "2000 leave",
        "2000 state prepared 10 'the user has left'", "2000 disconnected r7 by 7 after 2000", "2000 event 112",
      ]
    },
    CallScenario("a user that comes back into the room") { rig in
      rig.ring()
      rig.accept()
      rig.take { [attempt = rig.attempt] machine, now in machine.peerLeft(attempt, 7, .quit, now) }
      rig.run(to: 1_900)
      rig.take { [attempt = rig.attempt] machine, _ in machine.peerJoined(attempt, 7) }
      rig.run(to: 14_000)
    } lines: {
      ringLines + acceptLines + ["0 event 108 '0'", "1900 event 107"]
    },
    CallScenario("a call that is rejected here") { rig in
      rig.ring()
      rig.reject(7, "busy")
    } lines: {
      ringLines + [
        "0 send reject user 'busy' to 7", "0 state prepared 5 'busy'", "0 event 100 'busy'", "0 complete 2 ok",
      ]
    },
    CallScenario("a call that its caller cancels") { rig in
      rig.ring()
      rig.run(to: 3_000)
      rig.receive(.cancel(CallMessage.End(.user)))
    } lines: {
      ringLines + ["3000 state prepared 12", "3000 event 110"]
    },
    CallScenario("a call that its caller's time ends") { rig in
      rig.ring()
      rig.run(to: 3_000)
      rig.receive(.cancel(CallMessage.End(.timeout)))
    } lines: {
      ringLines + ["3000 state prepared 18", "3000 event 4"]
    },
    CallScenario("an incoming call that nobody answers") { rig in
      rig.ring()
      rig.run(to: 20_000)
    } lines: {
      ringLines + ["15000 send reject timeout to 7", "15000 state prepared 14", "15000 event 3"]
    },
    CallScenario("an incoming call without a limit here") { rig in
      rig.prepare(timeout: 0)
      rig.ring(timeout: 10_000)
      rig.run(to: 20_000)
    } lines: {
      ["0 preload r1", "0 complete 2 ok"] + ringLines + [
        "15000 send reject timeout to 7", "15000 state prepared 14", "15000 event 3",
      ]
    },
    CallScenario("the same caller calls again") { rig in
      rig.ring("aa", room: "r7")
      rig.run(to: 1_000)
      rig.ring("ab", room: "r8")
    } lines: {
      ringLines + [
        "1000 state prepared 15", "1000 event 110", "1000 state calling 33", "1000 event 143", "1000 preload r8",
      ]
    },
    CallScenario("another session of this user has accepted") { rig in
      rig.ring()
      rig.receive(.taken(device: "ee"))
    } lines: {
      ringLines + ["0 state prepared 12", "0 event 110"]
    },
    CallScenario("another session of this user was faster") { rig in
      rig.ring()
      rig.accept()
      rig.receive(.taken(device: "ee"))
    } lines: {
      ringLines + acceptLines + ["0 leave", "0 state prepared 12", "0 event 110", "0 event 112"]
    },
  ]
}
