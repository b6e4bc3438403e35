package import Platform
package import RelayClient
package import WebRTC

/// The users of a load: they join one after the other, publishers send, and listeners measure.
///
///     time ────────▶ poll ──┐
///     network news ▶ serve ─┴▶ users ─▶ networks
///                                └────▶ figures
///
/// Time comes from a clock and packets from networks, so that a load runs on sockets and in a simulation. `poll` is due
/// at `nextDeadlineNanoseconds`.
///
/// Thread: one at a time.
package final class LoadUsers {
  /// Measurements.
  package let figures = LoadFigures()
  private let plan: LoadPlan
  private let clock: any EngineClock
  private let users: [LoadUser]
  /// Numbers of the users among all users of the load.
  private let numbers: [Int]
  private var agenda: LoadAgenda
  /// Users that have started.
  private var startedCount = 0
  private let startNanoseconds: Int
  private var isCounting = false
  private var isLeaving = false
  /// Listeners of each channel in this process that have joined.
  package private(set) var listeners: [Int]
  /// Listeners of each channel in other processes that have joined.
  package var otherListeners: [Int]

  /// Creates the users; the first one starts to join with the first `poll`.
  ///
  /// - Parameters:
  ///   - plan: Plan of the load.
  ///   - clock: Clock; every time is its.
  ///   - certificate: Certificate of all users.
  ///   - makeRandom: Makes a user's generator of random numbers.
  ///   - makeNetworks: Makes the networks of a user by its number among those of this process, from 0 on.
  package init<Failure: Error>(
    _ plan: LoadPlan, clock: any EngineClock, certificate: DTLSCertificate,
    makeRandom: () -> any RandomNumberGenerator, makeNetworks: (_ number: Int) throws(Failure) -> LoadNetworks
  ) throws(Failure) {
    self.plan = plan
    self.clock = clock
    startNanoseconds = plan.startNanoseconds ?? clock.nowNanoseconds
    numbers = plan.numbers
    agenda = LoadAgenda(userCount: numbers.count)
    listeners = [Int](repeating: 0, count: plan.channels.count)
    otherListeners = listeners
    var users: [LoadUser] = []
    for (index, number) in numbers.enumerated() {
      let session = RelaySession(plan.sessionOptions, random: makeRandom())
      users.append(
        LoadUser(
          uid: UInt32(number + 1), isPublisher: plan.isPublisher(number), channelIndex: plan.channelIndex(number),
          session,
          ChannelMembership(
            plan.membershipOptions(number), in: session, certificate: certificate, random: makeRandom()),
          try makeNetworks(index), clock: clock, figures: figures, source: LoadSource(plan),
          reports: LoadReports(makeRandom())))
    }
    self.users = users
  }

  // MARK: Time and network

  /// Time of the next `poll`; nil if none is needed.
  package var nextDeadlineNanoseconds: Int? {
    let start = startedCount < users.count && !isLeaving ? nextStartNanoseconds : nil
    guard let start, let next = agenda.nextNanoseconds else { return start ?? agenda.nextNanoseconds }
    return min(start, next)
  }

  /// Does the work that is due.
  package func poll() {
    let now = clock.nowNanoseconds
    while startedCount < users.count, !isLeaving, nextStartNanoseconds <= now {
      users[startedCount].start(now)
      plan(startedCount)
      startedCount += 1
    }
    while let number = agenda.takeDue(clock.nowNanoseconds) { pump(number, datagramCount: 0) }
  }

  /// Takes what the network of a user has brought, then does the work that is due.
  package func serve(_ number: Int) {
    guard number < startedCount else { return }
    pump(number)
    pollIfDue()
  }

  /// Takes one datagram of a user, then does the work that is due: cheaper than `serve`, with one call of the network.
  package func takeDatagram(of number: Int) {
    guard number < startedCount else { return }
    if users[number].takeDatagram() { pump(number) }
    pollIfDue()
  }

  // MARK: Course

  /// Whether users start or join.
  package var isRamping: Bool { startedCount < users.count || users.contains { $0.outcome == .joining } }

  /// State of the user with a number.
  package func outcome(of number: Int) -> LoadOutcome { users[number].outcome }

  /// Number of users that have joined and not failed.
  package var joinedCount: Int { users.count { $0.outcome == .joined } }

  /// Refusals and other failures, each with the number of its users, the most frequent first.
  package var failures: [(error: ChannelError, count: Int)] {
    LoadPart.sum(
      users.compactMap { if case .failed(let error) = $0.outcome { (error: error, count: 1) } else { nil } })
  }

  /// Measurements so far, without those of sockets and processors.
  package var part: LoadPart {
    var part = LoadPart()
    part.joinedCount = joinedCount
    part.failures = failures
    part.joinTimes = figures.joinTimes
    part.counts = figures.counts
    part.delays = figures.delays
    part.lateness = figures.lateness
    return part
  }

  /// Lets packets count that are sent from now on.
  package func beginCounting() { isCounting = true }

  /// Ends the sending of packets; those under way still count.
  package func endSending() {
    isCounting = false
    for user in users { user.nextPacketNanoseconds = nil }
  }

  /// Lets every user leave its channel.
  package func leave() {
    isLeaving = true
    let now = clock.nowNanoseconds
    for number in 0..<startedCount {
      users[number].leave(now)
      plan(number)
    }
  }

  /// Whether every user has left.
  package var isLeft: Bool { users.allSatisfy { $0.session.nextDeadlineNanoseconds == nil } }

  /// Ends the networks at once.
  package func stop() { for user in users { user.networks.signalling.stop() } }

  // MARK: Private

  private var nextStartNanoseconds: Int { startNanoseconds + numbers[startedCount] * plan.joinIntervalNanoseconds }

  private func pollIfDue() { if let next = nextDeadlineNanoseconds, next <= clock.nowNanoseconds { poll() } }

  private func pump(_ number: Int, datagramCount: Int = LoadUser.longestBurst) {
    let (user, now) = (users[number], clock.nowNanoseconds)
    let old = user.outcome
    user.pump(now, datagramCount: datagramCount)
    if user.outcome == .joining, now >= user.startNanoseconds + plan.joinLimitNanoseconds {
      let seconds = plan.joinLimitNanoseconds / 1_000_000_000
      user.fail(
        ChannelError(.notReady, "the join took more than \(seconds) s; lower --ramp, or check the relay's load"), now)
    }
    if user.outcome != old { note(number, user, old, now) }
    sendPackets(user)
    plan(number)
  }

  /// Notes that a user has joined or failed.
  private func note(_ number: Int, _ user: LoadUser, _ old: LoadOutcome, _ now: Int) {
    if !user.isPublisher {
      listeners[user.channelIndex] += (user.outcome == .joined ? 1 : 0) - (old == .joined ? 1 : 0)
    }
    guard user.isPublisher, !isLeaving else { return }
    guard user.outcome == .joined else {
      user.nextPacketNanoseconds = nil
      return
    }
    user.nextPacketNanoseconds = plan.nextPacketNanoseconds(of: numbers[number], from: now + 1)
  }

  private func sendPackets(_ user: LoadUser) {
    while let due = user.nextPacketNanoseconds, due <= clock.nowNanoseconds {
      user.nextPacketNanoseconds = due + plan.frameNanoseconds
      // By its due time: a packet that leaves late belongs to its turn.
      let speaking = plan.speakingNanoseconds(of: Int(user.uid) - 1, due)
      let isCounting = isCounting && speaking != nil
      let sent = user.sendPacket(isCounted: isCounting, speaking: speaking)
      guard isCounting, let speaking else { continue }
      guard let sent else {
        figures.counts.unsent += 1
        continue
      }
      figures.counts.sent += 1
      let listenerCount = listeners[user.channelIndex] + otherListeners[user.channelIndex]
      figures.counts.expected += listenerCount
      if speaking < LoadPlan.beginningNanoseconds { figures.counts.expectedBeginnings += listenerCount }
      figures.lateness.add(nanoseconds: sent - due)
    }
  }

  private func plan(_ number: Int) {
    let user = users[number]
    var time = user.nextDeadlineNanoseconds
    if user.outcome == .joining {
      time = min(time ?? .max, user.startNanoseconds + plan.joinLimitNanoseconds)
    }
    if let time { agenda.plan(number, at: time) }
  }
}
