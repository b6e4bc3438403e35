import AudioGraph
import Effects
import FrameObservers
import MediaStreams
import Metering
import OpusCodec

/// The network streams of a pipeline, sent and received: their connections, states and statistics.
///
/// Thread: control, under the pipeline's lock.
final class StreamsState: PipelineFeature {
  let core: PipelineCore
  let users: UsersState
  let devices: DevicesState
  let sounds: SoundsState
  var sendings: [Sending] = []
  /// The sound of every user that comes in packets.
  var tracks: [UserKey: RemoteAudioTrack] = [:]
  /// Sources of the users in `tracks`, in the order in which the users came.
  private var received: [(key: UserKey, source: RTPSource)] = []
  /// The users at the last edit.
  private var knownUsers: [UserKey] = []
  var linkFeedback = LinkFeedbackTable()
  var reports = StreamReports()
  private let activity = FeatureActivity()

  /// - Parameters:
  ///   - core: Parts that every feature uses.
  ///   - users: The users that send and are received.
  ///   - devices: Collected before this feature.
  ///   - sounds: Sounds that are sent with the local voice.
  init(_ core: PipelineCore, users: UsersState, devices: DevicesState, sounds: SoundsState) {
    self.core = core
    self.users = users
    self.devices = devices
    self.sounds = sounds
  }

  var isActive: Bool { activity.isActive }

  /// Connects senders to voices, and begins and ends the tracks of users.
  func reconcile(graph: Graph) throws {
    reconcileTracks()
    for index in sendings.indices { try connect(&sendings[index], in: graph) }
    activity.set(!sendings.isEmpty || !received.isEmpty)
  }

  /// Reports every completed tick. A report of statistics closes each interval.
  func collect() {
    let now = core.tickCount
    if isActive {
      while reports.nextReport <= now {
        observeStreams(until: reports.nextReport)
        reportStatistics(afterTicks: reports.nextReport)
        reports.nextReport += StatisticsInterval.ticks
      }
      observeStreams(until: now)
      if devices.isActive { devices.noteEncoded(encodedCount, failures: failureCount) }
    } else {
      reports.skip(to: now)
    }
    reports.tick = now
  }

  // MARK: Sending

  /// Packets of the local voice so far, including those of silence that are not sent.
  private var encodedCount: Int {
    sendings.reduce(0) { $1.speaker == nil ? $0 + $1.sender.packetCount + $1.sender.suppressedPacketCount : $0 }
  }

  /// Number of packets of the local user that could not be encoded.
  private var failureCount: Int { sendings.reduce(0) { $1.speaker == nil ? $0 + $1.sender.failureCount : $0 } }

  /// Starts to send a voice.
  ///
  /// - Parameters:
  ///   - sender: The sender of the packets.
  ///   - uid: The speaker; nil: the local user.
  ///   - parts: Parts of the local user's sound.
  func startSending(through sender: PacketSender, speaker uid: UInt32?, parts: SentParts = .all) throws {
    guard core.options.sampleRate == OpusOptions.sampleRate else {
      throw EngineError(
        .invalidArgument, "packets need a pipeline of \(OpusOptions.sampleRate) Hz, not of \(core.options.sampleRate)")
    }
    guard !sendings.contains(where: { $0.sender === sender }) else {
      throw EngineError(.invalidArgument, "this sender is in use already; stop it first or make another")
    }
    let key = uid.map { users.key($0) }
    if let uid, let key, users.remote[key]?.hasUplink != true {
      throw EngineError(.invalidArgument, "the pipeline has no speaker \(uid); add it first")
    }
    let tap = try DetachableTap(
      sender.node, named: "packets of \(uid.map { "\($0)" } ?? "the local user"), SSRC \(sender.options.ssrc)",
      channelCount: sender.options.channelCount, in: core.graph)
    sendings.append(
      Sending(
        sender: sender, speaker: key, tap: tap, parts: parts, reported: sender.totals(atTick: reports.tick)))
  }

  func stopSending(through sender: PacketSender) throws {
    guard let index = sendings.firstIndex(where: { $0.sender === sender }) else {
      throw EngineError(.invalidArgument, "this sender is not in use here")
    }
    let sending = sendings.remove(at: index)
    try sending.tap.remove(from: core.graph)
    try sending.partial?.remove(from: core.graph)
    sender.setSending(false)
    reports.sentBytes += sender.payloadByteCount - sending.reported.payloadBytes
  }

  // MARK: Received sound

  /// Notes a mute that signaling has reported. The ticks before it must have been collected.
  func setRemotelyMuted(_ key: UserKey, _ isMuted: Bool) {
    let tick = reports.tick
    for change in tracks[key]?.setRemotelyMuted(isMuted, tick: tick) ?? [] { post(change, of: key, tick: tick) }
  }

  private func reconcileTracks() {
    for key in knownUsers where users.remote[key] == nil { endTrack(key) }
    knownUsers = users.order
    received = []
    for key in users.order {
      guard let user = users.remote[key], let source = user.source as? RTPSource else { continue }
      received.append((key, source))
      if let track = tracks[key], track.source !== source { tracks[key]!.replaceSource(with: source) }
      if let track = tracks[key], track.machine.isLocallyMuted != user.isHeard { continue }
      tracks[key, default: RemoteAudioTrack(source, tick: reports.tick)].setLocallyMuted(
        !user.isHeard, tick: reports.tick
      ).forEach { post($0, of: key, tick: reports.tick) }
    }
  }

  /// Forgets a user that has left.
  private func endTrack(_ key: UserKey) {
    linkFeedback.set(nil, from: .user(uid: key.uid, channelID: key.channelID), tick: reports.tick)
    guard var track = tracks.removeValue(forKey: key) else { return }
    for change in track.leave() { post(change, of: key, tick: reports.tick) }
    reports.receivedBytes += track.source.latestSnapshot.statistics.bytesReceived - track.reported.bytesReceived
  }

  private func observeStreams(until tick: Int) {
    // There may be hundreds of users, and nearly all of them have no news: those are not even looked up.
    for (key, source) in received {
      while let observation = source.nextObservation(beforeTick: tick) {
        observe(observation, of: key)
      }
    }
  }

  private func observe(_ observation: ReceptionObservation, of key: UserKey) {
    let tick = observation.tick + 1
    for news in tracks[key]?.take(observation) ?? [] {
      switch news {
      case .change(let change): post(change, of: key, tick: tick)
      case .source(let ssrc):
        let speaker = SpeakerID(uid: key.uid, channelID: key.channelID)
        core.events.post(PipelineEvent(.remoteSourceChanged(speaker, ssrc: ssrc), tickCount: tick))
      }
    }
  }

  private func post(_ change: RemoteAudioStateMachine.Change, of key: UserKey, tick: Int) {
    let event = RemoteAudioChange(
      speaker: SpeakerID(uid: key.uid, channelID: key.channelID), state: change.state, reason: change.reason,
      elapsedMilliseconds: reports.elapsedMilliseconds(atTick: tick))
    core.events.post(PipelineEvent(.remoteAudioState(event), tickCount: tick))
  }
}
