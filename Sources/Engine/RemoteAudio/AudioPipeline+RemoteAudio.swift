public import AudioGraph
import FrameObservers
import MediaStreams
import Metering
import Synchronization

extension AudioPipeline {
  /// Notes that a remote user has muted its stream, or sends it again, as signalling tells: `remoteMuted` and
  /// `remoteAudioState` events. What is heard does not change: a muted user sends nothing.
  ///
  /// Throws: `.invalidArgument` where there is no such user.
  public func setRemoteUserMuted(_ uid: UInt32, _ isMuted: Bool, channelID: String? = nil) throws(EngineError) {
    try set("user \(uid) cannot be noted as muted") {
      let key = UserKey(channelID: channelID ?? options.channelID, uid: uid)
      guard let user = remoteUsers[key] else { throw noSuchUser(uid) }
      guard user.isMutedByItself != isMuted else { return }
      collectVolumes()
      collectStreams()
      let tick = streamReports.tick
      remoteUsers[key]!.isMutedByItself = isMuted
      events.post(
        PipelineEvent(.remoteMuted(SpeakerID(uid: uid, channelID: key.channelID), isMuted), tickCount: tick))
      for change in remoteUsers[key]!.track?.setRemotelyMuted(isMuted, tick: tick) ?? [] {
        post(change, of: key, tick: tick)
      }
    }
  }

  /// Lets the call begin now: from here on `elapsed` and durations of events count. At first they count from the first
  /// tick. Thread: any.
  public func restartCallTime() {
    lock.withLock { _ in
      collectStreams()
      streamReports.callStart = streamReports.tick
    }
  }

  /// Looks at every tick that is over. Under the lock; before users come or go or are muted, so that ticks meet what
  /// was.
  func collectStreams() {
    let now = runner.tickCount
    if hasStreams.load(ordering: .relaxed) {
      while streamReports.nextReport <= now {
        observeStreams(until: streamReports.nextReport)
        reportStatistics(afterTicks: streamReports.nextReport)
        streamReports.nextReport += StatisticsInterval.ticks
      }
      observeStreams(until: now)
    } else {
      streamReports.skip(to: now)
    }
    streamReports.tick = now
  }

  /// Says to a user's track whether the user is heard. Within an edit.
  func noteHeard(_ key: UserKey, _ isHeard: Bool) {
    let tick = streamReports.tick
    for change in remoteUsers[key]?.track?.setLocallyMuted(!isHeard, tick: tick) ?? [] {
      post(change, of: key, tick: tick)
    }
  }

  /// Ends what is known of a user who leaves. Within an edit.
  func endTrack(_ key: UserKey) {
    linkFeedback.set(nil, from: .user(key), tick: streamReports.tick)
    guard var track = remoteUsers[key]?.track else { return }
    for change in track.leave() { post(change, of: key, tick: streamReports.tick) }
    streamReports.receivedBytes += track.source.newestReport.statistics.bytesReceived - track.reported.bytesReceived
  }

  /// Whether there is anything to report of. Within an edit.
  func reconcileStreams() {
    receivedStreams = userOrder.compactMap { key in (remoteUsers[key]?.track?.source).map { (key, $0) } }
    hasStreams.store(!sendings.isEmpty || !receivedStreams.isEmpty, ordering: .releasing)
  }

  private func observeStreams(until tick: Int) {
    // There may be hundreds of users, and nothing is new of nearly all of them: then they are not even looked up.
    for (key, source) in receivedStreams {
      while let observation = source.nextObservation(beforeTick: tick) {
        observe(observation, of: key)
      }
    }
  }

  private func observe(_ observation: ReceptionObservation, of key: UserKey) {
    let tick = observation.tick + 1
    for news in remoteUsers[key]?.track?.take(observation) ?? [] {
      switch news {
      case .change(let change): post(change, of: key, tick: tick)
      case .source(let ssrc):
        let speaker = SpeakerID(uid: key.uid, channelID: key.channelID)
        events.post(PipelineEvent(.remoteSourceChanged(speaker, ssrc: ssrc), tickCount: tick))
      }
    }
  }

  private func post(_ change: RemoteAudioStateMachine.Change, of key: UserKey, tick: Int) {
    let event = RemoteAudioChange(
      speaker: SpeakerID(uid: key.uid, channelID: key.channelID), state: change.state, reason: change.reason,
      elapsedMilliseconds: streamReports.elapsedMilliseconds(atTick: tick))
    events.post(PipelineEvent(.remoteAudioState(event), tickCount: tick))
  }
}
