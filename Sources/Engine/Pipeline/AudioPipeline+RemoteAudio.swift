public import AudioGraph
import FrameObservers
import Metering
import Synchronization

extension AudioPipeline {
  /// Notes that a remote user has muted its stream, or sends it again, as signaling reports. It causes `remoteMuted`
  /// and `remoteAudioState` events. The heard sound does not change: a muted user sends nothing.
  ///
  /// - Throws: `.invalidArgument` if there is no such user.
  public func setRemoteUserMuted(_ uid: UInt32, _ isMuted: Bool, channelID: String? = nil) throws(EngineError) {
    try set("user \(uid) cannot be noted as muted") {
      let key = userStates.key(uid, channelID: channelID)
      guard try userStates.user(key).isMutedByItself != isMuted else { return }
      volume.collect()
      streams.collect()
      userStates.remote[key]!.isMutedByItself = isMuted
      core.events.post(
        PipelineEvent(
          .remoteMuted(SpeakerID(uid: uid, channelID: key.channelID), isMuted), tickCount: streams.reports.tick))
      streams.setRemotelyMuted(key, isMuted)
    }
  }

  /// Restarts the call time: `elapsed` and durations of events count from now on. At first they count from the first
  /// tick. Thread: any.
  public func restartCallTime() {
    lock.withLock { _ in
      streams.collect()
      streams.reports.callStart = streams.reports.tick
    }
  }
}
