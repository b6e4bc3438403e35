import AudioFiles
import AudioGraph
import Calls
import Cryptography
import Engine
import Metering
import NetworkSimulation
import Platform
import RTP
import Signalling

/// A running call through a relay: passes datagrams, messages and ticks in the order of time.
final class ChannelRun {
  private let call: SimulatedCall
  private let clock = VirtualClock()
  private let relay: SimulatedRelay
  private var participants: [ChannelParticipant] = []
  private let capture: PacketCapture?
  private let tickCount: Int
  private var schedule: ChannelSchedule
  private let moment: MomentOrder
  private var log = SimulationEventLog()
  private let rooms: Set<ChannelName>

  private static let ticksPerSecond = 100.0
  /// Time for the join behind the longest file, in seconds.
  private static let joinSeconds = 2.0

  init(
    _ call: SimulatedCall, beforeWriting: () throws -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    self.call = call
    if call.seedsEncryption { SeededRandom.install(seed: call.seed) }
    let readers = try call.users.map { try AudioFileReader.open(path: $0.path, isCancelled: isCancelled) }
    guard call.users.count > 1 || call.outputs.mixedPath != nil else { throw SimulationError.tooFewUsers }
    let channelCount = min(2, readers.map(\.format.channelCount).max()!)
    let files = try CallRun.tickCount(call, readers)
    tickCount = call.durationSeconds == nil ? files + Int(Self.joinSeconds * Self.ticksPerSecond) : files
    try call.script.validate(
      voices: Dictionary(uniqueKeysWithValues: zip(call.users.map(\.uid), readers.map(\.format.channelCount))),
      hasSilentListener: call.outputs.mixedPath != nil, durationSeconds: Double(tickCount) / Self.ticksPerSecond,
      conditions: call.conditions, hasRelay: true)
    let heardChannelCount = call.script.needsStereo ? 2 : channelCount
    let silent: [CallUser?] = call.outputs.mixedPath != nil ? [nil] : []
    let users = call.users.map(Optional.some) + silent
    let clock = clock
    let paths = users.enumerated().map { index, user in
      ChannelPath(
        user?.uid ?? Self.silentUID(beside: call.users), index: index + 1, call.conditions, seed: call.seed,
        clock: clock)
    }
    var random = RandomStream(seed: call.seed, path: 0, 1)
    relay = SimulatedRelay(paths, clock: clock, maximumSpeakerCount: call.maximumSpeakerCount) { random.next() }
    for (index, (user, path)) in zip(users, paths).enumerated() {
      participants.append(
        try ChannelParticipant(
          user, path, readers.indices.contains(index) ? readers[index] : nil, channelCount: heardChannelCount,
          call: call))
    }
    let channels = ScriptChannels(call.script, users: call.users.map(\.uid))
    rooms = channels.rooms
    for listener in participants {
      for other in call.users where other.uid != listener.number {
        for channel in channels.shared(by: listener.number, other.uid) {
          listener.know(other.uid, in: channel, channelCount: heardChannelCount)
        }
      }
    }
    schedule = ChannelSchedule(call.script.withRooms)
    moment = MomentOrder(seed: call.seed)
    try beforeWriting()
    capture = try call.outputs.capturePath.map { try PacketCapture(path: $0, mayReplace: call.outputs.overwrite) }
    for participant in participants { try call.record(participant.number, in: participant.pipeline) }
    connect()
  }

  deinit {
    if call.seedsEncryption { SeededRandom.remove() }
  }

  func run(
    progress: (Double, Double) -> Void, onEvent: (SimulationEvent) -> Void, shouldStop: () -> Bool
  ) throws -> CallResult {
    relay.start()
    for participant in participants { try participant.start(tickCount: tickCount) }
    let members = call.script.initialMembers(of: call.users.map(\.uid))
    for participant in participants where participant.number == 0 || members.contains(participant.number) {
      try join(participant, CallScript.channel, 0)
    }
    let end = participants.map { $0.endNanoseconds(afterTicks: tickCount) }.max()!
    let endTicks = try tickCount + (participants.map { try $0.pipeline.latency() }.max()! + 479) / 480
    let last = participants.map { $0.endNanoseconds(afterTicks: endTicks) }.max()!
    var nextProgress = 0
    var isCancelled = false
    while true {
      let now = nextNanoseconds()
      guard now <= last else { break }
      isCancelled = shouldStop()
      if isCancelled { break }
      clock.wait(untilNanoseconds: now)
      log.release(untilNanoseconds: now - 1, onEvent)
      if now <= end, schedule.nextNanoseconds.map({ $0 <= now }) == true {
        try apply(now)
        for participant in participants { collect(participant, now) }
      }
      for work in moment.order(dueWork(now), nowNanoseconds: now) { try perform(work, now) }
      if now >= nextProgress {
        nextProgress = now + 200_000_000
        progress(Double(now) / 1e9, Double(last) / 1e9)
      }
    }
    let listeners = participants.map { listener in
      CallResult.Listener(
        uid: listener.number,
        heard: listener.heard(rooms: rooms) { uid, channel in
          participants.first { $0.number == uid }?.sentReport(in: channel)
        })
    }
    for participant in participants {
      try participant.finish()
      collect(participant, clock.nowNanoseconds)
    }
    try capture?.finish()
    log.release(untilNanoseconds: .max, onEvent)
    return CallResult(
      listeners: listeners, events: log.events,
      durationSeconds: Double(min(clock.nowNanoseconds / 10_000_000 + 1, tickCount)) / Self.ticksPerSecond,
      isCancelled: isCancelled,
      warnings: participants.flatMap { participant in
        (participant.reader?.warnings ?? []).map { "\(participant.reader!.path): \($0)" }
      },
      relayCounters: relay.counters)
  }

  /// Time of the next thing that happens: at least, a tick.
  private func nextNanoseconds() -> Int {
    var next = min(relay.nextDeadlineNanoseconds ?? .max, schedule.nextNanoseconds ?? .max)
    for participant in participants {
      next = min(
        next, participant.nextTickNanoseconds, participant.nextDeadlineNanoseconds,
        participant.path.nextNanoseconds ?? .max)
    }
    return max(next, clock.nowNanoseconds)
  }

  /// Returns the work of this moment. A user's arrivals and tick are one: a tick plays packets that have arrived by
  /// its time.
  private func dueWork(_ now: Int) -> [MomentWork] {
    var due: [MomentWork] = []
    for (index, participant) in participants.enumerated() {
      if participant.path.nextDatagramAtRelayNanoseconds <= now { due.append(.datagrams(index)) }
      if participant.path.nextMessageAtRelayNanoseconds <= now { due.append(.messages(index)) }
      if participant.isDue(nowNanoseconds: now) { due.append(.user(index)) }
    }
    if let deadline = relay.nextDeadlineNanoseconds, deadline <= now { due.append(.relay) }
    return due
  }

  private func perform(_ work: MomentWork, _ now: Int) throws {
    switch work {
    case .relay: relay.poll()
    case .datagrams(let index): relay.receiveDatagrams(of: participants[index].path)
    case .messages(let index): relay.receiveMessages(of: participants[index].path)
    case .user(let index):
      let participant = participants[index]
      participant.serve(nowNanoseconds: now)
      if participant.nextTickNanoseconds <= now { try participant.step(nowNanoseconds: now) }
      collect(participant, now)
    }
  }

  private func join(
    _ participant: ChannelParticipant, _ channel: ChannelName, publishes: Bool = true, role: ClientRole? = nil,
    _ now: Int
  ) throws {
    try participant.join(
      channel, publishes: publishes, role: role, token: token(of: participant, in: channel), nowNanoseconds: now)
  }

  private func token(of participant: ChannelParticipant, in channel: ChannelName) -> SecretText {
    SimulatedRelay.makeToken(
      of: participant.path.uid, in: channel, role: participant.number == 0 ? .audience : .broadcaster)
  }

  /// Applies the events of the script that are due.
  private func apply(_ now: Int) throws {
    while let (index, event) = schedule.take(nowNanoseconds: now) {
      var refusal: String?
      do {
        try apply(event.action, now)
      } catch let error as EngineError {
        refusal = error.message
      } catch {
        refusal = "\(error)"
      }
      log.add(SimulationEvent(nanoseconds: now, kind: .script(index, event.action, refusal: refusal)))
    }
  }

  private func apply(_ action: ScriptAction, _ now: Int) throws {
    func participant(_ number: UInt32?) -> ChannelParticipant { participants.first { $0.number == number ?? 0 }! }
    switch action {
    case .network(let changes, let from, let to):
      for participant in participants {
        if to == nil, from == nil || from == participant.number { try participant.path.change(isUp: true, changes) }
        if from == nil, to == nil || to == participant.number { try participant.path.change(isUp: false, changes) }
      }
    case .join(let user, let channel, let publishes, let role):
      try join(participant(user), channel ?? CallScript.channel, publishes: publishes, role: role, now)
    case .role(let role, let latency, let user, let channel):
      try participant(user).setRole(role, latency: latency, in: channel ?? CallScript.channel, nowNanoseconds: now)
    case .preload(let user, let channel):
      let (user, channel) = (participant(user), channel ?? CallScript.channel)
      try user.preload(channel, token: token(of: user, in: channel), nowNanoseconds: now)
    case .leave(let user, let channel): participant(user).leave(channel ?? CallScript.channel, nowNanoseconds: now)
    case .sendStreamMessage(let text, let isReliable, let isOrdered, let user, let channel):
      try participant(user).send(
        text, isReliable: isReliable, isOrdered: isOrdered, in: channel ?? CallScript.channel, nowNanoseconds: now)
    case .relayMedia(let others, let user, let channel):
      try participant(user).relayMedia(to: others, in: channel ?? CallScript.channel, nowNanoseconds: now)
    case .pauseMediaRelay(let isPaused, let user, let channel):
      try participant(user).pauseMediaRelay(isPaused, in: channel ?? CallScript.channel, nowNanoseconds: now)
    case .mute(let isMuted, let user, nil): participant(user).setMuted(isMuted, nowNanoseconds: now)
    case .mute(let isMuted, let user, let listener?):
      participant(listener).setMuted(isMuted, user: user, nowNanoseconds: now)
    case .stopRelay: relay.stop()
    case .startRelay: relay.start()
    case .stepRelayClock(let step): relay.stepCalendar(milliseconds: Int64((step * 1_000).rounded()))
    case .changeAddress(let user, isNewNetwork: false): participant(user).path.moveAddress()
    case .changeAddress(let user, isNewNetwork: true): participant(user).path.moveNetwork()
    case .prepare, .call, .accept, .reject, .hangup, .cancel:
      participant(action.user).applyCall(action, nowNanoseconds: now)
    default: try participant(action.listener ?? action.user).apply(action)
    }
  }

  private func collect(_ participant: ChannelParticipant, _ now: Int) {
    for news in participant.takeNews() {
      switch news {
      // The pipeline reports mutes and music, too.
      case .channel(_, .userMuted), .channel(_, .userMusic): continue
      case .channel(let channel, let event):
        log.add(SimulationEvent(nanoseconds: now, kind: .channel(event, user: participant.number, channel: channel)))
      case .calls(let news): log.add(SimulationEvent(nanoseconds: now, kind: .calls(news, user: participant.number)))
      }
    }
    for report in participant.takeReports() {
      if report.kind.isLeftOut { continue }
      if report.kind.isStatistics, !call.logsStatistics { continue }
      log.add(SimulationEvent(nanoseconds: report.nanoseconds, kind: .pipeline(report.kind, user: participant.number)))
    }
  }

  /// Connects the measurements and the capture to the paths.
  private func connect() {
    for speaker in participants {
      speaker.path.onVoice = { [unowned self, unowned speaker] packet, voice, effect in
        // A packet that reaches the relay counts when the relay forwards it.
        guard effect.lost + effect.dropped > 0 else { return }
        for listener in participants where listener !== speaker {
          listener.note(packet, from: voice, effect: effect)
        }
      }
      speaker.path.onSend = { [capture] datagram, now in
        capture?.add(datagram.bytes, from: datagram.address, to: SimulatedRelay.address, nowNanoseconds: now)
      }
    }
    relay.onSend = { [capture] datagram, now in
      capture?.add(datagram.bytes, from: SimulatedRelay.address, to: datagram.address, nowNanoseconds: now)
    }
    relay.onVoice = { [unowned self] packet, speaker, listener, header, effect in
      participants.first { $0.path.uid == listener }?.note(
        packet, from: speaker, timestamp: header.timestamp, effect: effect)
    }
  }

  /// Uid of the silent listener: the lowest one from 1 on that no user has.
  private static func silentUID(beside users: [CallUser]) -> UInt32 {
    let taken = Set(users.map(\.uid))
    var uid: UInt32 = 1
    while taken.contains(uid) { uid += 1 }
    return uid
  }
}
