import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Faults of the network, the relay and the tokens, for sessions with several channels.
@Suite(.timeLimit(.minutes(10))) struct SessionFaultTests {
  /// Seeds of one run; AUDIOPIPE_LONG runs ten times as many.
  private static let seeds = LongRun.isWanted ? 200 : 20

  /// Three users in up to four channels each. For 60 s sockets are cut or die, datagrams stop, the relay restarts,
  /// tokens end, and users leave, preload and join. Then the faults end. Seeds alternate between two profiles: joins
  /// that publish take preloads in the one without roles only.
  @Test("memberships survive random faults, and channels stay apart", .shows("C1a", "C9", "C12", "attack"))
  func random() {
    for seed in 1...UInt64(Self.seeds) { Self.run(seed) }
  }

  private static func run(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rig = SessionRig(seed: seed)
    let rooms = ["a", "b", "c", "d"]
    let profile: ChannelProfile = seed.isMultiple(of: 2) ? .communication : .live
    let users = (1...3).map { rig.user(.uid(UInt32($0))) }
    for user in users {
      for room in rooms.prefix(Int.random(in: 1...4, using: &random)) {
        // Some tokens end during the faults.
        let seconds: Int64 = Bool.random(using: &random) ? 3_600 : .random(in: 32...90, using: &random)
        user.join(room, SessionRig.token(user.identity, channel: room, seconds: seconds), profile: profile)
      }
      if Bool.random(using: &random) { user.session.hold(SessionRig.token(user.identity), nowNanoseconds: 0) }
    }
    var time = 0
    while time < 60_000 {
      time += .random(in: 100...3_000, using: &random)
      rig.run(to: time)
      fault(rig, users.randomElement(using: &random)!, rooms, profile, &random)
    }
    if rig.core == nil { rig.startRelay() }
    for user in users {
      for media in user.media { media.isOpen = true }
    }
    // New tokens for those that have ended.
    rig.run(to: 100_000)
    for user in users {
      for channel in user.channels where channel.membership.state == .failed {
        guard
          case .token(let token) = SessionRig.token(
            user.identity, channel: channel.membership.channel.text, at: rig.now / 1_000_000)
        else { continue }
        channel.membership.renew(token, nowNanoseconds: rig.now)
      }
    }
    rig.run(to: 140_000)
    check(rig, users, seed)
  }

  private static func fault(
    _ rig: SessionRig, _ user: SessionUser, _ rooms: [String], _ profile: ChannelProfile,
    _ random: inout SeededGenerator
  ) {
    let channel = user.channels.randomElement(using: &random)!
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1: user.cutSocket()
    case 2: user.socket?.isDead = true
    case 3: channel.media.isOpen.toggle()
    case 4: if rig.core == nil { rig.startRelay() } else { rig.stopRelay() }
    case 5: if rig.core == nil { rig.startRelay() }
    case 6:
      var settings = channel.membership.settings
      settings.isMuted.toggle()
      channel.membership.update(settings, nowNanoseconds: rig.now)
    case 7:
      let room = channel.membership.channel.text
      channel.membership.leave(nowNanoseconds: rig.now)
      user.join(room, user.preloads.last { $0.room == room }?.preload.credential, profile: profile)
    case 8: user.preload(rooms.randomElement(using: &random)!, profile: profile)
    case 9: user.preloads.randomElement(using: &random)?.media.isOpen.toggle()
    default:
      if let other = rooms.randomElement(using: &random), user.has(other) {
        _ = user[other].membership.diagnose(nil, nowNanoseconds: rig.now)
      }
    }
  }

  private static func check(_ rig: SessionRig, _ users: [SessionUser], _ seed: UInt64) {
    for user in users {
      let present = user.present
      #expect(present.allSatisfy { $0.membership.state == .connected }, "seed \(seed): \(user.states)")
      #expect(present.allSatisfy { .uid($0.membership.uid ?? 0) == user.identity }, "seed \(seed)")
      for channel in user.channels { #expect(channel.isWellFormed, "seed \(seed): \(channel.log)") }
      // The newest preload of a room lives at the relay.
      for room in Set(user.preloads.map(\.room)) {
        let newest = user.preloads.last { $0.room == room }?.preload
        #expect(newest?.isReady == true || newest?.isLent == true, "seed \(seed): \(room)")
      }
    }
    // Each channel has the users that the program wants there, and every packet stays in its channel.
    for user in users {
      for channel in user.present {
        let name = channel.membership.channel.text
        let others = users.filter { $0 !== user && $0.present.contains { $0.membership.channel.text == name } }
        let known = Set(channel.membership.users.keys)
        #expect(known == Set(others.map(\.number)), "seed \(seed): \(name) \(known)")
        channel.forget()
      }
    }
    for user in users {
      for channel in user.present { channel.send(Array(channel.membership.channel.text.utf8) + [9], rig.now) }
    }
    rig.run(to: 141_000)
    for user in users {
      for channel in user.present {
        let name = Array(channel.membership.channel.text.utf8)
        #expect(channel.payloads.allSatisfy { $0 == name + [9] }, "seed \(seed)")
        let speaking = channel.membership.users.values.count { !$0.muted }
        #expect(channel.payloads.count == speaking, "seed \(seed): \(channel.payloads.count) of \(speaking)")
      }
    }
  }

  /// The user of the test is in 100 channels, each with another one; AUDIOPIPE_LONG has ten others in each.
  @Test("100 channels of a user come back from a cut at the rate of joins", .shows("C9"))
  func hundred() {
    let others = LongRun.isWanted ? 10 : 1
    let rig = SessionRig()
    let ann = rig.user(.uid(1))
    for room in 0..<100 { ann.join("room\(room)") }
    for number in 0..<100 * others { rig.user(.uid(UInt32(100 + number))).join("room\(number % 100)") }
    rig.run(to: 5_000)
    #expect(ann.channels.allSatisfy { $0.membership.state == .connected && $0.membership.users.count == others })
    #expect(rig.core?.sessionCount == 1 + 100 * others && ann.socketCount == 1)
    for channel in ann.channels { channel.forget() }
    ann.cutSocket()
    rig.run(to: 10_000)
    #expect(ann.channels.allSatisfy { $0.membership.state == .connected && $0.membership.uid == 1 })
    let times = ann.channels.compactMap { Int(($0.log.first ?? "").prefix { $0 != " " }) }.sorted()
    // 16 at once, and 100 in a second.
    #expect(times.first == 5_160 && times.last == 6_000 && ann.socketCount == 2, "\(times)")
    #expect(ann.channels.allSatisfy { $0.membership.users.count == others && !$0.log.contains { $0.contains("left") } })
  }
}

extension SessionUser {
  fileprivate var number: UInt32 { if case .uid(let uid) = identity { uid } else { 0 } }

  /// Newest membership of each channel.
  fileprivate var present: [SessionChannel] {
    Set(channels.map(\.membership.channel.text)).sorted().map { self[$0] }
  }

  fileprivate func has(_ channel: String) -> Bool { channels.contains { $0.membership.channel.text == channel } }

  fileprivate var states: [String] {
    present.map { "\($0.membership.channel) \($0.membership.state) \($0.log.suffix(5))" }
  }
}

extension SessionChannel {
  /// Whether the first join is the only one, and each rejoin follows it.
  fileprivate var isWellFormed: Bool {
    let joins = events.compactMap { event -> Bool? in
      switch event {
      case .joined: true
      case .rejoined: false
      default: nil
      }
    }
    return joins.count { $0 } <= 1 && joins.dropFirst().allSatisfy { !$0 }
  }
}
