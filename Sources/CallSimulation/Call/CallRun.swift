import AudioFiles
import AudioGraph
import Engine
import Glibc

/// A running call: runs the participants' ticks in the order of time, and passes their packets to the links.
final class CallRun {
  private let call: SimulatedCall
  private var participants: [CallParticipant] = []
  private let tickCount: Int
  private var schedule: ScriptSchedule
  private var log = SimulationEventLog()

  private static let ticksPerSecond = 100.0

  /// - Parameters:
  ///   - call: The call to run.
  ///   - beforeWriting: Called before the outputs are made.
  ///   - isCancelled: Polled while an input pipe has no data.
  init(
    _ call: SimulatedCall, beforeWriting: () throws -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    self.call = call
    let readers = try call.users.map { try AudioFileReader.open(path: $0.path, isCancelled: isCancelled) }
    // A missing file is the more direct mistake and is reported first.
    guard call.users.count > 1 || call.outputs.mixedPath != nil else { throw SimulationError.tooFewUsers }
    let channelCount = min(2, readers.map(\.format.channelCount).max()!)
    tickCount = try Self.tickCount(call, readers)
    try call.script.validate(
      voices: Dictionary(uniqueKeysWithValues: zip(call.users.map(\.uid), readers.map(\.format.channelCount))),
      hasSilentListener: call.outputs.mixedPath != nil, durationSeconds: Double(tickCount) / Self.ticksPerSecond,
      conditions: call.conditions)
    let heardChannelCount = call.script.needsStereo ? 2 : channelCount
    for (user, reader) in zip(call.users, readers) {
      let participant = try CallParticipant(user, channelCount: heardChannelCount, seed: call.seed)
      try participant.speak(user, reader: reader, channelCount: channelCount, call: call)
      participants.append(participant)
    }
    if call.outputs.mixedPath != nil {
      participants.append(try CallParticipant(nil, channelCount: heardChannelCount, seed: call.seed))
    }
    for listener in participants {
      for other in participants where other.uid != listener.uid {
        try listener.know(other.uid, channelCount: channelCount, call: call)
      }
    }
    schedule = ScriptSchedule(call.script, participants: participants.map(\.uid))
    try beforeWriting()
    for participant in participants { try call.record(participant.uid, in: participant.pipeline) }
    let members = call.script.initialMembers(of: call.users.map(\.uid))
    for participant in participants { try participant.begin(with: members) }
  }

  func run(
    progress: (Double, Double) -> Void, onEvent: (SimulationEvent) -> Void, shouldStop: () -> Bool
  ) throws -> CallResult {
    let end = participants.map { $0.endNanoseconds(afterTicks: tickCount) }.max()!
    for participant in participants { try participant.start(tickCount: tickCount, endNanoseconds: end) }
    var ticks = try ticksNeeded()
    var done = [Int](repeating: 0, count: participants.count)
    var isCancelled = false
    var now = 0
    // A participant with a fast clock continues to tick until the last one has ended, because others hear it until
    // then.
    func isOpen(_ index: Int) -> Bool { done[index] < ticks || participants[index].nextTickNanoseconds < end }
    while let next = participants.indices.filter(isOpen).map({ participants[$0].nextTickNanoseconds }).min() {
      now = next
      isCancelled = shouldStop()
      if isCancelled { break }
      log.release(untilNanoseconds: now, onEvent)
      let due = participants.indices.filter { isOpen($0) && participants[$0].nextTickNanoseconds == now }
      if try apply(Set(due), nowNanoseconds: now) { ticks = max(ticks, try ticksNeeded()) }
      // Ticks at the same time are simultaneous: no participant hears sound sent in them.
      var sent: [(from: UInt32, packets: CallParticipant.Sent)] = []
      for index in due {
        done[index] += 1
        sent.append((participants[index].uid, try participants[index].step(nowNanoseconds: now)))
        collectReports(of: participants[index])
      }
      for index in due {
        guard let playsMusic = participants[index].takeMusicNews() else { continue }
        for peer in participants.flatMap(\.peers) where peer.uid == participants[index].uid {
          peer.signal(playsMusic: playsMusic, nowNanoseconds: now)
        }
      }
      for (uid, packets) in sent { send(packets, from: uid, nowNanoseconds: now) }
      let tick = now / 10_000_000
      if tick % 20 == 0 { progress(Double(tick) / Self.ticksPerSecond, Double(ticks) / Self.ticksPerSecond) }
    }
    for participant in participants {
      try participant.finish()
      collectReports(of: participant)
    }
    log.release(untilNanoseconds: .max, onEvent)
    return CallResult(
      listeners: participants.map { listener in .init(uid: listener.uid, heard: heard(by: listener)) },
      events: log.events,
      durationSeconds: Double(min(now / 10_000_000 + 1, tickCount)) / Self.ticksPerSecond, isCancelled: isCancelled,
      warnings: participants.flatMap { participant in
        (participant.reader?.warnings ?? []).map { "\(participant.reader!.path): \($0)" }
      })
  }

  /// Passes the packets of a tick to the links.
  private func send(_ sent: CallParticipant.Sent, from uid: UInt32, nowNanoseconds now: Int) {
    for listener in participants {
      for peer in listener.peers where peer.uid == uid {
        if listener.hasEnded { peer.close() }
        for packet in sent.voice { peer.send(packet) }
        for (to, packet) in sent.addressed where to == listener.uid { peer.send(packet) }
      }
    }
    if let options = sent.options { log.add(SimulationEvent(nanoseconds: now, kind: .sending(options, user: uid))) }
  }

  private func heard(by listener: CallParticipant) -> [HeardUser] {
    listener.peers.compactMap { peer in
      let speaker = participants.first { $0.uid == peer.uid }
      return peer.stream?.finish(
        link: peer.linkCounters, feedback: peer.report,
        remoteReport: speaker?.peers.first { $0.uid == listener.uid }?.report)
    }
  }

  /// Returns the number of ticks to run: ticks of the call + the longest latency of a pipeline. Sound sent in the last
  /// tick is no longer heard, but the latency of a pipeline is rendered.
  private func ticksNeeded() throws -> Int {
    tickCount + (try participants.map { try $0.pipeline.latency() }.max()! + 479) / 480
  }

  /// Applies the events of the script that are due.
  ///
  /// - Returns: True if any event was due.
  private func apply(_ participantIndices: Set<Int>, nowNanoseconds now: Int) throws -> Bool {
    let due = schedule.take(nowNanoseconds: now, participants: participantIndices)
    for entry in due {
      var refusal: String?
      do {
        try apply(entry, nowNanoseconds: now)
      } catch let error as EngineError {
        refusal = error.message
      }
      // All participants get joins and leaves, but the log gets each only once.
      switch entry.event.action {
      case .join(let user, _, _, _), .leave(let user, _):
        if participants[entry.participant!].uid != user { continue }
      default: break
      }
      log.add(SimulationEvent(nanoseconds: now, kind: .script(entry.index, entry.event.action, refusal: refusal)))
    }
    return !due.isEmpty
  }

  private func apply(_ entry: ScriptSchedule.Due, nowNanoseconds now: Int) throws {
    switch entry.event.action {
    case .network(let changes, let from, let to):
      for listener in participants where to == nil || to == listener.uid {
        for peer in listener.peers where from == nil || from == peer.uid {
          try peer.change(changes, nowNanoseconds: now)
        }
      }
    case .join(let user, _, _, _): try participants[entry.participant!].join(user)
    case .leave(let user, _): try participants[entry.participant!].leave(user, nowNanoseconds: now)
    case .mute(let isMuted, let user, nil):
      try entry.event.action.apply(to: participants[entry.participant!].pipeline)
      for listener in participants {
        for peer in listener.peers where peer.uid == user { peer.signal(isMuted: isMuted, nowNanoseconds: now) }
      }
    case .mute(let isMuted, let user, .some):
      let listener = participants[entry.participant!]
      try entry.event.action.apply(to: listener.pipeline)
      for peer in listener.peers where peer.uid == user { peer.setMuted(isMuted) }
    default: try entry.event.action.apply(to: participants[entry.participant!].pipeline)
    }
  }

  private func collectReports(of participant: CallParticipant) {
    for report in participant.takeReports() {
      if report.kind.isLeftOut { continue }
      if report.kind.isStatistics, !call.logsStatistics { continue }
      log.add(SimulationEvent(nanoseconds: report.nanoseconds, kind: .pipeline(report.kind, user: participant.uid)))
    }
  }

  static func tickCount(_ call: SimulatedCall, _ readers: [AudioFileReader]) throws -> Int {
    if let seconds = call.durationSeconds { return ticks(seconds) }
    let ends = try zip(call.users, readers).map { user, reader in
      guard let count = reader.samplesPerChannel else { throw SimulationError.unknownLength(path: user.path) }
      return user.startSeconds + Double(count) / Double(reader.format.sampleRate)
    }
    return ticks(ends.max()! + 1)
  }

  /// Returns the ticks of a duration, rounded up; the binary rounding error of a decimal fraction does not add a tick.
  private static func ticks(_ seconds: Double) -> Int { Int((seconds * ticksPerSecond - 1e-6).rounded(.up)) }
}
