import TestSupport

@testable import Calls

/// Users with their applications, a signalling that loses, duplicates, delays and reorders, and rooms, in virtual time.
final class CallWorld {
  /// Rare paths that seeds must reach.
  enum Path: CaseIterable {
    case connected, simultaneous, recall, busy, answeredElsewhere, replaced, crashDuringCall, lostMessage,
      duplicatedMessage, delayedMessage, ringingTimeout, connectingTimeout, rejected, cancelled, joinFailure
  }

  /// A session of a user: its application with a machine.
  final class Session {
    let number: Int
    let user: UInt32
    var machine: CallMachine
    var stay: Stay?
    var stateSince = 0
    var lastState = CallState.idle
    /// Since when the other user does not take part in a connected call.
    var disagreesSince: Int?

    init(_ number: Int, _ user: UInt32, seed: UInt64) {
      (self.number, self.user) = (number, user)
      machine = CallMachine(user: user, random: SeededGenerator(seed: seed)) { 0 }
    }
  }

  /// A stay in a room, from the join on.
  struct Stay {
    let attempt: Int
    let room: String
    var isJoined = false
    var isOpen: Bool
    var heard: Set<Int> = []
  }

  private var random: SeededGenerator
  private var events: [(time: Int, order: Int, run: (CallWorld) -> Void)] = []
  private var eventCount = 0
  private(set) var sessions: [Session] = []
  private var sessionCount = 0
  private var roomCount = 0
  private(set) var milliseconds = 0
  /// Calls that a user has accepted, also by having called the other one.
  private var accepted: Set<String> = []
  private(set) var paths: Set<Path> = []
  private(set) var faults: [String] = []
  private let seed: UInt64
  private let userCount: Int
  /// Probability of a loss, a duplicate, a long delay and a failing join.
  private var trouble = 0.08
  /// Whether the applications begin calls, and sessions crash.
  private var isActive = true
  private static let dropMilliseconds = 20_000

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    userCount = 2 + Int(seed % 2)
    for user in 1...UInt32(userCount) { start(user) }
    // A user with two sessions.
    if seed % 3 == 0 { start(2) }
  }

  /// Runs 120 s with trouble, then 60 s without it and without new calls.
  func run() {
    run(to: 120_000)
    (isActive, trouble) = (false, 0)
    run(to: 180_000)
    for session in sessions {
      if session.machine.state == .calling || session.machine.state == .connecting {
        faults.append("user \(session.user) is stuck in \(session.machine.state) at the end")
      }
      if session.machine.state == .connected, !hasPartner(session) {
        faults.append("user \(session.user) talks to nobody at the end")
      }
    }
  }

  // MARK: Time

  private func after(_ delay: Int, _ run: @escaping (CallWorld) -> Void) {
    eventCount += 1
    events.append((milliseconds + delay, eventCount, run))
  }

  private func run(to end: Int) {
    while true {
      let event = events.indices.min { (events[$0].time, events[$0].order) < (events[$1].time, events[$1].order) }
      let deadline = sessions.compactMap(\.machine.nextDeadline).min().map { ($0 + 999_999) / 1_000_000 }
      let next = min(event.map { events[$0].time } ?? .max, deadline ?? .max)
      guard next <= end else { break }
      milliseconds = max(milliseconds, next)
      if let event, events[event].time == next {
        let work = events.remove(at: event)
        work.run(self)
      } else {
        for session in sessions where (session.machine.nextDeadline ?? .max) <= milliseconds * 1_000_000 {
          take(session) { $0.poll($1) }
        }
      }
      check()
    }
    milliseconds = end
  }

  private func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }
  private func delay(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  // MARK: Sessions

  private func start(_ user: UInt32) {
    sessionCount += 1
    let session = Session(sessionCount, user, seed: seed &* 1_000 &+ UInt64(sessionCount))
    sessions.append(session)
    after(delay(0...500)) { $0.prepare(session) }
    after(delay(500...8_000)) { $0.act(session) }
    if chance(0.3) { after(delay(10_000...100_000)) { $0.crash(session) } }
  }

  private func isAlive(_ session: Session) -> Bool { sessions.contains { $0 === session } }

  private func crash(_ session: Session) {
    guard isActive, isAlive(session) else { return }
    if session.machine.callID != nil { paths.insert(.crashDuringCall) }
    sessions.removeAll { $0 === session }
    if let stay = session.stay, stay.isJoined {
      // The relay hears nothing more of it.
      after(Self.dropMilliseconds) { world in
        for other in world.others(session, stay.room) where !world.isInRoom(session.user, stay.room) {
          world.take(other) { machine, now in
            machine.peerLeft(other.stay?.attempt ?? 0, session.user, .dropped, now)
          }
        }
      }
    }
    after(delay(0...5_000)) { $0.start(session.user) }
  }

  private func prepare(_ session: Session) {
    guard isAlive(session) else { return }
    roomCount += 1
    take(session) { [roomCount] machine, _ in
      machine.prepare(PrepareConfig(roomID: "room\(roomCount)", rtcToken: ""), completion: nil)
    }
  }

  /// What the application of a session does now and then.
  private func act(_ session: Session) {
    guard isAlive(session) else { return }
    defer { after(delay(200...6_000)) { $0.act(session) } }
    let peer = session.machine.ongoing?.peer ?? 0
    switch session.machine.state {
    case .idle, .failed: prepare(session)
    case .prepared:
      guard isActive, chance(0.6) else { return }
      prepare(session)
      var other = session.user
      while other == session.user { other = UInt32(delay(1...userCount)) }
      // Now and then both users call at once.
      if chance(0.3), let second = sessions.first(where: { $0.user == other && $0.machine.state == .prepared }) {
        take(second) { $0.call(session.user, .audio, nil, completion: nil, $1) }
      }
      take(session) { $0.call(other, .audio, nil, completion: nil, $1) }
    case .calling:
      if session.machine.ongoing?.isCaller == true {
        // A cancel, and now and then another call at once.
        guard chance(0.15) else { return }
        take(session) { $0.cancelCall(completion: nil, $1) }
        if chance(0.5) { take(session) { $0.call(peer, .audio, nil, completion: nil, $1) } }
      } else if chance(0.6) {
        take(session) { $0.accept(peer, completion: nil, $1) }
        // The user takes both of its phones.
        for other in sessions where other !== session && other.user == session.user && chance(0.5) {
          take(other) { $0.accept(peer, completion: nil, $1) }
        }
      } else if chance(0.3) {
        take(session) { $0.reject(peer, nil, completion: nil, $1) }
      }
    case .connecting, .connected: if chance(0.15) { take(session) { $0.hangup(peer, nil, completion: nil, $1) } }
    }
  }

  // MARK: Machines

  private func take(_ session: Session, _ body: (inout CallMachine, _ now: Int) -> Void) {
    guard isAlive(session) else { return }
    body(&session.machine, milliseconds * 1_000_000)
    for output in session.machine.takeOutputs() { carryOut(output, session) }
  }

  private func carryOut(_ output: CallOutput, _ session: Session) {
    switch output {
    case .send(let number, let text, let receiver, _): send(number, text, to: receiver, from: session)
    case .preload(let number?, _, _):
      after(delay(20...300)) { $0.take(session) { machine, _ in machine.prepared(number, nil) } }
    case .join(let attempt, let room, _, _, let isAccepted):
      session.stay = Stay(attempt: attempt, room: room, isOpen: isAccepted)
      if isAccepted { checkMicrophone(session) }
      after(delay(20...800)) { $0.enter(session, attempt) }
    case .open(let attempt):
      guard session.stay?.attempt == attempt else { return }
      checkMicrophone(session)
      session.stay?.isOpen = true
      after(100) { $0.sound(in: session.stay?.room) }
    case .leave(let attempt): if session.stay?.attempt == attempt { leave(session, .quit) }
    case .askEarlyJoin(let id, _):
      // One session of a user alone may agree.
      guard chance(0.3), sessions.filter({ $0.user == session.user }).count == 1 else { return }
      after(1) { $0.take(session) { machine, _ in machine.mayJoin(id) } }
    case .state(let state, let reason, _, _):
      session.stateSince = milliseconds
      note(reason, from: session.lastState)
      session.lastState = state
    default: break
    }
  }

  private func note(_ reason: CallStateReason, from old: CallState) {
    switch reason {
    case .recvRemoteFirstFrame: paths.insert(.connected)
    case .callingTimeout: paths.insert(old == .calling ? .ringingTimeout : .connectingTimeout)
    case .cancelByCallerRecall: paths.insert(.recall)
    case .remoteCallBusy: paths.insert(.busy)
    case .remoteRejected: paths.insert(.rejected)
    case .localCancelled: paths.insert(.cancelled)
    case .joinRTCFailed: paths.insert(.joinFailure)
    default: break
    }
  }

  // MARK: Signalling

  private func send(_ number: Int, _ text: String, to receiver: UInt32, from sender: Session) {
    if let message = try? CallMessage(reading: text) {
      switch message.body {
      case .accept: accepted.insert(message.callID)
      case .cancel(let end) where end.cause == .simultaneous: paths.insert(.simultaneous)
      case .taken: if sessions.count(where: { $0.user == receiver }) > 1 { paths.insert(.answeredElsewhere) }
      default: break
      }
    }
    // A user without a session, a connection that is lost before or behind the delivery, an answer that is lost.
    guard sessions.contains(where: { $0.user == receiver }) else {
      return after(delay(10...100)) {
        $0.take(sender) { $0.sent(number, SignalError(.noSuchUser, code: 0, ""), $1) }
      }
    }
    if chance(trouble / 2) {
      return after(delay(10...100)) {
        $0.take(sender) { $0.sent(number, SignalError(.notConnected, code: 0, ""), $1) }
      }
    }
    if !chance(trouble / 2) {
      let isLost = chance(trouble / 2)
      after(delay(10...200)) {
        $0.take(sender) { $0.sent(number, isLost ? SignalError(.unknown, code: 0, "") : nil, $1) }
      }
    }
    for session in sessions where session.user == receiver {
      var copies = 1
      if chance(trouble) {
        (copies, _) = (0, paths.insert(.lostMessage))
      } else if chance(trouble) {
        (copies, _) = (2, paths.insert(.duplicatedMessage))
      }
      for _ in 0..<copies {
        let isLate = chance(trouble)
        if isLate { paths.insert(.delayedMessage) }
        after(isLate ? delay(500...10_000) : delay(10...150)) {
          $0.take(session) { $0.receive(text, from: sender.user, $1) }
        }
      }
    }
  }

  // MARK: Rooms

  private func others(_ session: Session, _ room: String) -> [Session] {
    sessions.filter { $0.user != session.user && $0.stay?.isJoined == true && $0.stay?.room == room }
  }

  private func isInRoom(_ user: UInt32, _ room: String) -> Bool {
    sessions.contains { $0.user == user && $0.stay?.isJoined == true && $0.stay?.room == room }
  }

  private func enter(_ session: Session, _ attempt: Int) {
    guard isAlive(session), let stay = session.stay, stay.attempt == attempt else { return }
    guard !chance(trouble / 2) else {
      session.stay = nil
      return take(session) { $0.failed(attempt, ChannelError(.refused, "no"), $1) }
    }
    for other in sessions
    where other !== session && other.user == session.user && other.stay?.room == stay.room
      && other.stay?.isJoined == true
    {
      paths.insert(.replaced)
      let old = other.stay?.attempt ?? 0
      leave(other, .quit)
      take(other) { $0.replaced(old, ChannelError(.refused, "replaced"), $1) }
    }
    session.stay?.isJoined = true
    take(session) { machine, now in machine.joined(attempt, now) }
    for other in others(session, stay.room) {
      take(other) { machine, _ in machine.peerJoined(other.stay?.attempt ?? 0, session.user) }
      take(session) { machine, _ in machine.peerJoined(attempt, other.user) }
    }
    after(100) { $0.sound(in: stay.room) }
  }

  private func leave(_ session: Session, _ reason: OfflineReason) {
    guard let stay = session.stay else { return }
    session.stay = nil
    for other in others(session, stay.room) where stay.isJoined {
      after(delay(5...60)) { world in
        guard !world.isInRoom(session.user, stay.room) else { return }
        world.take(other) { $0.peerLeft(other.stay?.attempt ?? 0, session.user, reason, $1) }
      }
    }
  }

  /// Lets all users of a room hear each other that are open to it.
  private func sound(in room: String?) {
    let open = sessions.filter { $0.stay?.room == room && $0.stay?.isJoined == true && $0.stay?.isOpen == true }
    for listener in open {
      for speaker in open where speaker.user != listener.user {
        guard let stay = listener.stay, !stay.heard.contains(speaker.number) else { continue }
        listener.stay?.heard.insert(speaker.number)
        take(listener) { $0.heardPeer(stay.attempt, speaker.user, $1) }
      }
    }
  }

  // MARK: Checks

  private func fault(_ text: String) { faults.append("\(milliseconds) ms: \(text)") }

  /// No microphone is open before a user has accepted the call.
  private func checkMicrophone(_ session: Session) {
    guard let id = session.machine.callID, accepted.contains(id) else {
      return fault("user \(session.user) has an open microphone before an accept")
    }
  }

  private func hasPartner(_ session: Session) -> Bool {
    let machine = session.machine
    return sessions.contains { other in
      other.user == machine.ongoing?.peer && other.machine.callID == machine.callID
        && (other.machine.state == .connecting || other.machine.state == .connected)
    }
  }

  private func check() {
    for session in sessions {
      let machine = session.machine
      // A stay is that of the ongoing call: nothing is heard in the room of another.
      if let stay = session.stay, machine.ongoing?.attempt != stay.attempt {
        fault("user \(session.user) is in the room of a call that has ended")
      }
      let isPending = machine.state == .calling || machine.state == .connecting
      if isPending, milliseconds - session.stateSince > 15_001 {
        fault("user \(session.user) is in \(machine.state) for more than 15 s")
      }
      guard machine.state == .connected, !hasPartner(session) else {
        session.disagreesSince = nil
        continue
      }
      let since = session.disagreesSince ?? milliseconds
      session.disagreesSince = since
      if milliseconds - since > 20_100 { fault("user \(session.user) talks to nobody for more than 20 s") }
    }
    if Set(sessions.compactMap { $0.machine.state == .connected ? "\($0.user) \($0.machine.callID ?? "")" : nil }).count
      != sessions.count(where: { $0.machine.state == .connected })
    {
      // Two sessions of a user in one call.
      let now = milliseconds
      doubleSince = doubleSince ?? now
      if now - (doubleSince ?? now) > 20_000 { fault("two sessions of a user have the same call for more than 20 s") }
    } else {
      doubleSince = nil
    }
  }

  private var doubleSince: Int?
}
