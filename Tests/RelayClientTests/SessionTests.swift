import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Channels that share a session, at a relay without sockets and 40 ms of round trip.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
  private static let rooms = (1...8).map { "room\($0)" }

  /// One user in eight channels, and another one in each.
  private static func eight() -> (rig: SessionRig, ann: SessionUser, others: [SessionUser]) {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    for room in rooms { ann.join(room) }
    let others = rooms.enumerated().map { index, room in
      let user = rig.user(.uid(UInt32(100 + index)))
      user.join(room)
      return user
    }
    rig.run(to: 1_000)
    return (rig, ann, others)
  }

  @Test("eight channels of a user have one WebSocket and one session", .shows("C1"))
  func eightChannels() {
    let (rig, ann, _) = Self.eight()
    #expect(ann.socketCount == 1)
    // One session for the user with eight channels, and one for each of the others.
    #expect(rig.core?.sessionCount == 9 && rig.core?.connectionCount == 9 && rig.core?.transportCount == 16)
    for room in Self.rooms {
      #expect(ann[room].log.prefix(3) == ["0 state 2/0", "160 state 3/1", "160 joined 7 after 160"], "\(room)")
    }
  }

  @Test("a packet of one channel is heard in that channel alone", .shows("C1"))
  func apart() {
    let (rig, ann, others) = Self.eight()
    for (index, user) in others.enumerated() { user.channels[0].send([UInt8(index), 1, 2, 3], rig.now) }
    rig.run(to: 2_000)
    for (index, room) in Self.rooms.enumerated() { #expect(ann[room].payloads == [[UInt8(index), 1, 2, 3]]) }
    for (index, room) in Self.rooms.enumerated() { ann[room].send([UInt8(50 + index), 9], rig.now) }
    rig.run(to: 3_000)
    for (index, user) in others.enumerated() { #expect(user.channels[0].payloads == [[UInt8(50 + index), 9]]) }
  }

  @Test("a cut WebSocket brings all memberships back with their uids", .shows("C1a", "C9"))
  func cut() {
    let (rig, ann, others) = Self.eight()
    for channel in ann.channels + others.flatMap(\.channels) { channel.forget() }
    ann.cutSocket()
    rig.run(to: 3_000)
    #expect(ann.socketCount == 2 && rig.core?.sessionCount == 9)
    for room in Self.rooms {
      let ssrc = ann[room].membership.ownSSRC ?? 0
      #expect(ann[room].log.prefix(2) == ["1160 rejoined 7 after 1160", "1160 source \(ssrc)"])
      #expect(ann[room].membership.uid == 7)
    }
    // The others hear of no absence.
    #expect(others.flatMap(\.channels).allSatisfy { !$0.log.contains { $0.contains("left") } })
    for (index, user) in others.enumerated() { user.channels[0].send([UInt8(index)], rig.now) }
    rig.run(to: 4_000)
    for (index, room) in Self.rooms.enumerated() { #expect(ann[room].payloads == [[UInt8(index)]]) }
  }

  @Test("a relay that restarts gets all memberships back", .shows("C1a", "C9"))
  func restart() {
    let (rig, ann, _) = Self.eight()
    rig.stopRelay()
    rig.run(to: 2_000)
    rig.startRelay()
    rig.run(to: 8_000)
    #expect(ann.channels.allSatisfy { $0.membership.state == .connected && $0.membership.uid == 7 })
    #expect(rig.core?.sessionCount == 9 && rig.core?.transportCount == 16)
  }

  @Test("95 % of 20 users are back 1 s after their relay", .shows("C9"))
  func restartOfMany() {
    var times: [Int] = []
    for seed in 1...10 {
      let rig = SessionRig(seed: UInt64(seed) * 1_000_003)
      let channels = (1...20).map { rig.user(.uid(UInt32($0))).join("room") }
      rig.run(to: 2_000)
      rig.stopRelay()
      rig.run(to: 3_000)
      rig.startRelay()
      for channel in channels { channel.forget() }
      var waiting = channels
      for now in stride(from: 3_020, through: 8_000, by: 20) where !waiting.isEmpty {
        for channel in channels { channel.send([1], rig.now) }
        rig.run(to: now)
        times += Array(repeating: now - 3_000, count: waiting.count { !$0.payloads.isEmpty })
        waiting.removeAll { !$0.payloads.isEmpty }
      }
      #expect(waiting.isEmpty, "seed \(seed)")
    }
    times.sort()
    #expect(times.count == 200 && times[189] <= 1_000, "\(times[99]) \(times[189]) \(times[199])")
  }

  @Test("a rejoin mutes more users again than one message has", .shows("C9"))
  func manyMutes() {
    let rig = SessionRig()
    let (ann, bob) = (rig.user(.uid(7)), rig.user(.uid(1_500)))
    for user in [ann, bob] { user.join("room") }
    rig.run(to: 1_000)
    var settings = ann["room"].membership.settings
    settings.mutedUsers = Set(501...1_500)
    ann["room"].membership.update(settings, nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 2_000)
    bob["room"].send([1], rig.now)
    ann.cutSocket()
    rig.run(to: 3_000)
    #expect(ann["room"].log.contains { $0.contains("rejoined") })
    bob["room"].send([2], rig.now)
    rig.run(to: 4_000)
    #expect(ann["room"].payloads.isEmpty)
    settings.mutedUsers = []
    ann["room"].membership.update(settings, nowNanoseconds: rig.now)
    ann.hasNews = true
    rig.run(to: 5_000)
    bob["room"].send([3], rig.now)
    rig.run(to: 6_000)
    #expect(ann["room"].payloads == [[3]])
  }

  @Test("a leave ends one channel, and the last one the WebSocket", .shows("C1"))
  func leave() {
    let (rig, ann, _) = Self.eight()
    ann["room1"].forget()
    ann["room1"].membership.leave(nowNanoseconds: rig.now)
    rig.run(to: 2_000)
    #expect(ann["room1"].log == ["1040 state 1/5", "1040 left"])
    #expect(ann.channels.dropFirst().allSatisfy { $0.membership.state == .connected } && ann.socket != nil)
    for room in Self.rooms.dropFirst() { ann[room].membership.leave(nowNanoseconds: rig.now) }
    rig.run(to: 3_000)
    #expect(ann.socket == nil && ann.socketCount == 1 && rig.core?.sessionCount == 8)
    #expect(ann.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a leave without a connection reaches the relay by the next one", .shows("C1", "C7"))
  func leaveInOutage() {
    let (rig, ann, others) = Self.eight()
    let other = others[0].channels[0]
    other.forget()
    ann.socket?.isDead = true
    for channel in ann.channels { channel.media.isOpen = false }
    rig.run(to: 2_000)
    ann["room1"].membership.leave(nowNanoseconds: rig.now)
    rig.run(to: 7_000)
    for channel in ann.channels { channel.media.isOpen = true }
    rig.run(to: 12_000)
    // Without the message the session's other channels would keep the user there for ever.
    #expect(other.log.contains { $0.hasSuffix("user 7 left 0") }, "\(other.log)")
    #expect(other.membership.users.isEmpty && rig.core?.transportCount == 15)
    #expect(ann.channels.dropFirst().allSatisfy { $0.membership.state == .connected })
  }

  @Test("a join that ends in its limit leaves no user at the relay", .shows("C7", "C8"))
  func abandonedJoin() {
    let (rig, ann, _) = Self.eight()
    ann.join("room9", limitNanoseconds: 3_000_000_000)
    ann["room9"].media.isOpen = false
    rig.run(to: 10_000)
    #expect(ann["room9"].membership.state == .failed && rig.core?.transportCount == 16)
  }

  @Test("a channel that is left and joined at once has one membership", .shows("C1"))
  func leaveAndJoin() {
    let (rig, ann, _) = Self.eight()
    let former = ann["room1"]
    former.forget()
    former.membership.leave(nowNanoseconds: rig.now)
    ann.join("room1")
    rig.run(to: 3_000)
    #expect(former.log == ["1000 state 1/5", "1000 left"])
    #expect(ann["room1"].membership.state == .connected && ann.socketCount == 1)
    #expect(rig.core?.transportCount == 16)
  }

  @Test("a join on an open session takes three round trips", .shows("C1"))
  func openSession() {
    let (rig, ann, _) = Self.eight()
    ann.join("room9")
    rig.run(to: 2_000)
    // One round trip for the join, and two for the transport.
    #expect(ann["room9"].log.prefix(3) == ["1000 state 2/0", "1120 state 3/1", "1120 joined 7 after 120"])
  }

  @Test("a channel without packets joins again by the same WebSocket", .shows("C9"))
  func silentChannel() {
    let (rig, ann, others) = Self.eight()
    for channel in ann.channels { channel.forget() }
    ann["room3"].media.isOpen = false
    // Messages about other channels are signs of the relay; without them the silence counts.
    rig.run(to: 8_000)
    #expect(ann["room3"].log.first?.hasSuffix("state 4/2") == true, "\(ann["room3"].log)")
    ann["room3"].media.isOpen = true
    rig.run(to: 30_000)
    #expect(ann["room3"].membership.state == .connected && ann.socketCount == 1)
    for room in Self.rooms where room != "room3" { #expect(ann[room].log.isEmpty, "\(room)") }
    others[2].channels[0].send([5], rig.now)
    rig.run(to: 31_000)
    #expect(ann["room3"].payloads == [[5]])
  }

  @Test("a dead WebSocket is replaced once for all channels", .shows("C9"))
  func deadSocket() {
    let (rig, ann, _) = Self.eight()
    ann.socket?.isDead = true
    rig.run(to: 25_000)
    #expect(ann.socketCount == 2 && ann.channels.allSatisfy { $0.membership.state == .connected })
    #expect(ann.channels.allSatisfy { !$0.log.contains { $0.contains("state 4") } })
  }

  @Test("an expired token ends its own channel alone", .shows("C12"))
  func expiry() {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    ann.join("hall")
    ann.join("lobby", SessionRig.token(.uid(7), channel: "lobby", seconds: 60))
    rig.run(to: 70_000)
    #expect(
      ann["lobby"].log.suffix(4) == [
        "30020 expires in 30000", "60020 error -109", "60020 token requested", "60020 state 5/9",
      ])
    #expect(!ann["hall"].log.contains { $0.contains("expires") } && ann["hall"].membership.state == .connected)
    guard case .token(let token) = SessionRig.token(.uid(7), channel: "lobby", at: 70_000) else { return }
    ann["lobby"].membership.renew(token, nowNanoseconds: rig.now)
    rig.run(to: 71_000)
    #expect(ann["lobby"].log.last?.hasSuffix("granted") == true && ann["lobby"].membership.uid == 7)
    #expect(ann.socketCount == 1)
  }

  @Test("a session opens again with any token that is valid", .shows("C12"))
  func anyToken() {
    let rig = SessionRig()
    let ann = rig.user(.uid(7))
    ann.join("lobby", SessionRig.token(.uid(7), channel: "lobby", seconds: 60))
    ann.join("hall")
    rig.run(to: 59_000)
    rig.stopRelay()
    rig.run(to: 62_000)
    rig.startRelay()
    rig.run(to: 70_000)
    #expect(ann["lobby"].log.last?.hasSuffix("state 5/9") == true, "\(ann["lobby"].log)")
    #expect(ann["hall"].membership.state == .connected && ann["hall"].membership.uid == 7)
  }

  @Test("a refused session ends all channels that wait for it", .shows("C5"))
  func refused() {
    let rig = SessionRig { $0.limits.sessions = 0 }
    let ann = rig.user(.uid(7))
    for room in Self.rooms { ann.join(room) }
    rig.run(to: 10_000)
    #expect(ann.channels.allSatisfy { $0.log.suffix(2) == ["80 error -5", "80 state 5/10"] })
    #expect(ann.socketCount == 1 && ann.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a relay without sockets is reported by each channel once", .shows("C9", "D1"))
  func unreached() {
    let rig = SessionRig()
    rig.stopRelay()
    let ann = rig.user(.uid(7))
    for room in Self.rooms { ann.join(room) }
    rig.run(to: 11_000)
    #expect(ann.channels.allSatisfy { $0.log == ["0 state 2/0", "10000 lost"] })
  }
}
