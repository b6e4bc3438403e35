import RTP
import RelayClient
import Signalling
import TestSupport
import Testing

/// Losses of the relay, on a virtual clock.
@Suite(.timeLimit(.minutes(10))) struct ChannelLossTests {
  private static let ann = ChannelUser(uid: 8, publishes: true, ssrc: 2_001)

  /// The network is cut at 1 s; a check at 0.66 s was the last one with an answer, at 0.7 s. Checks follow every 250
  /// ms, and the first one after the cut has its answer 200 ms after the cut's end. A join takes 160 ms.
  @Test(
    "a cut is reported after 4 s and 10 s of silence, and ends in a rejoin", .shows("C8", "C9"),
    arguments: [
      (3, []),
      (6, ["4700 state 4/2", "7360 state 3/15", "7360 rejoined 7 after 7360", "7360 source 1001"]),
      (
        12,
        [
          "4700 state 4/2", "9700 timed out", "10700 lost", "13360 state 3/15", "13360 rejoined 7 after 13360",
          "13360 source 1001",
        ]
      ),
      (
        25,
        [
          "4700 state 4/2", "9700 timed out", "10700 lost", "26360 state 3/15", "26360 rejoined 7 after 26360",
          "26360 source 1001",
        ]
      ),
    ])
  func cuts(_ seconds: Int, _ expected: [String]) throws {
    let rig = try ChannelRig.joined([Self.ann])
    rig.isOpen = false
    try rig.run(to: 1_000 + seconds * 1_000)
    rig.isOpen = true
    try rig.run(to: 60_000)
    #expect(rig.log == expected)
    #expect(rig.membership.state == .connected)
  }

  @Test("after 20 minutes of silence the connection has failed", .shows("C9"))
  func patience() throws {
    let rig = try ChannelRig.joined([Self.ann])
    rig.isOpen = false
    try rig.run(to: 1_000 + 21 * 60_000)
    rig.isOpen = true
    try rig.run(to: 30 * 60_000)
    #expect(
      rig.log == [
        "4700 state 4/2", "9700 timed out", "10700 lost", "1200700 error -1", "1200700 state 5/16",
      ])
    #expect(rig.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a closed WebSocket causes a rejoin with new keys and the resume token", .shows("C1a", "C9"))
  func signalling() throws {
    let rig = try ChannelRig.joined([Self.ann])
    rig.cutSignalling()
    try rig.run(to: 60_000)
    #expect(rig.log == ["1160 rejoined 7 after 1160", "1160 source 1001"])
    #expect(rig.relay.hellos.map(\.resume) == [nil, SecretText("r1")])
    #expect(rig.relay.joins.map(\.user) == [.uid(7), .uid(7)])
    #expect(rig.relay.joins[0].media != rig.relay.joins[1].media)
  }

  /// The last message before the loss left at 0.16 s. A ping follows after 5 s, and its answer is awaited for 10 s.
  @Test("a WebSocket that loses its messages is replaced after 10 s", .shows("C9"))
  func deafSignalling() throws {
    let rig = try ChannelRig.joined([Self.ann])
    rig.loseSignalling()
    rig.relay.users = [Self.ann, ChannelUser(uid: 9)]
    try rig.run(to: 60_000)
    let rejoins = rig.log.filter { $0.contains("rejoined 7") }.compactMap { Int($0.prefix { $0 != " " }) }
    #expect(rejoins.count == 1 && rejoins.allSatisfy((15_000...15_800).contains), "\(rig.log)")
    #expect(
      rig.log.contains { $0.contains(" user 9 after") } && !rig.log.contains { $0.contains("state") }, "\(rig.log)")
    #expect(rig.openedRelays.count == 2 && rig.membership.state == .connected)
  }

  @Test("packets pass until the new keys are there", .shows("C9"))
  func bridge() throws {
    let rig = try ChannelRig.joined([Self.ann])
    rig.relay.answers = false
    rig.cutSignalling()
    try rig.run(to: 3_000)
    rig.sendPacket(ssrc: 2_001, number: 1)
    try rig.run(to: 3_100)
    #expect(rig.packets.count == 1 && rig.log.isEmpty)
  }

  @Test("clients of a relay that restarts return within 2 s, spread over time", .shows("C9"))
  func restart() throws {
    var times: [Int] = []
    for seed: UInt64 in 1...20 {
      let rig = ChannelRig(seed: seed)
      rig.membership.start(nowNanoseconds: 0)
      try rig.run(to: 1_000)
      rig.isListening = false
      rig.relay.restart()
      rig.cutSignalling()
      try rig.run(to: 4_000)
      rig.isListening = true
      rig.forget()
      try rig.run(to: 10_000)
      #expect(rig.log.last == "\(rig.time(of: "source 1001") ?? 0) source 1001", "seed \(seed): \(rig.log)")
      times.append(rig.time(of: "source 1001") ?? .max)
    }
    #expect(times.allSatisfy { $0 <= 6_300 } && Set(times).count > 10, "\(times)")
  }

  @Test("a relay that refuses connections is tried again, and lost after 10 s", .shows("C9"))
  func refused() throws {
    let rig = ChannelRig()
    rig.isListening = false
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 1_300_000)
    #expect(rig.log == ["0 state 2/0", "10000 lost", "1200000 error -1", "1200000 state 5/16"])
    // Delays of 0 to 2 s: one second on average.
    #expect((900...1_500).contains(rig.openedRelays.count), "\(rig.openedRelays.count)")
  }

  @Test("a join without an answer times out and is tried again", .shows("D1"))
  func unanswered() throws {
    let rig = ChannelRig()
    rig.relay.answers = false
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 7_000)
    rig.relay.answers = true
    try rig.run(to: 30_000)
    // `hello` leaves at 40 ms.
    #expect(rig.log.prefix(2) == ["0 state 2/0", "5040 timed out"])
    #expect(rig.log.contains { $0.hasSuffix("state 3/1") } && rig.membership.state == .connected)
  }

  @Test("a session that the relay has dropped is joined again at once", .shows("C8", "C9"))
  func stale() throws {
    let rig = try ChannelRig.joined()
    rig.relay.send(
      .failed(FailureReport(code: .general, reason: .keepAliveTimeout, sentence: "the session timed out")))
    try rig.run(to: 5_000)
    #expect(rig.log == ["1020 state 4/14", "1180 state 3/15", "1180 rejoined 7 after 1180", "1180 source 1001"])
  }

  @Test("a resumed session that the relay has dropped is opened again", .shows("C8", "C9"))
  func staleResumption() throws {
    let rig = try ChannelRig.joined()
    rig.relay.helloRefusal = FailureReport(code: .general, reason: .keepAliveTimeout, sentence: "timed out")
    rig.cutSignalling()
    try rig.run(to: 3_000)
    rig.relay.helloRefusal = nil
    try rig.run(to: 10_000)
    #expect(rig.log.first == "1080 state 4/14" && rig.log.count { $0.contains("state 4") } == 1, "\(rig.log)")
    #expect(rig.log.contains { $0.hasSuffix("state 3/15") } && rig.membership.state == .connected, "\(rig.log)")
  }

  @Test("hours with a tenth of all datagrams lost bring no interruption", .shows("C9"))
  func lossy() throws {
    let rig = try ChannelRig.joined()
    rig.loss = 10
    // The long mode has 24 hours.
    try rig.run(to: (LongRun.isWanted ? 24 : 1) * 3_600_000)
    #expect(rig.log.isEmpty)
  }

  @Test("an idle client sends one authentic packet every 500 ms", .shows("C9"))
  func keepAlive() throws {
    let rig = try ChannelRig.joined()
    let before = rig.relay.datagramCount
    try rig.run(to: 11_000)
    #expect((19...20).contains(rig.relay.datagramCount - before))
  }

  @Test("a report follows each check after an unanswered one", .shows("C9"))
  func reportBehindCheck() throws {
    let rig = try ChannelRig.joined()
    rig.isOpen = false
    try rig.run(to: 4_000)
    let silent = rig.sent.filter { $0.time > 2_000 }
    let checks = silent.filter { $0.kind == .stun }.map(\.time)
    #expect(checks.count >= 7 && checks == silent.filter { $0.kind == .rtcp }.map(\.time), "\(silent)")
  }

  @Test("a move request leads to the first named relay that is encrypted", .shows("C9"))
  func move() throws {
    let rig = try ChannelRig.joined()
    rig.relay.send(.moveTo(MoveEvent(relays: ["ws://plain.example/", "wss://other.example/"], milliseconds: 60_000)))
    try rig.run(to: 5_000)
    #expect(rig.openedRelays == ["wss://relay.example/", "wss://other.example/"])
    #expect(rig.log == ["1180 rejoined 7 after 1180", "1180 source 1001"])
  }
}
