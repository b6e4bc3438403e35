import AudioGraph
import Effects
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Notifies every user's source whether its frames are needed. Under the lock, after any change that decides it.
  func reconcileListening() {
    for key in userStates.order { reconcileListening(key) }
  }

  /// Notifies one user's source whether its frames are needed, after a change of the user's level.
  ///
  /// A user is listened to while it is heard, recorded by itself, measured, or observed before mixing. It is not heard
  /// while its own volume, that of its position, or that of all playback is 0. A muted user is listened to only for
  /// observers that include muted users.
  func reconcileListening(_ key: UserKey) {
    guard let user = userStates.remote[key] else { return }
    let isObserved = core.hub.isObserved(userStates.origin(of: key), isMuted: user.downlink == nil)
    guard let downlink = user.downlink else { return user.source.setHeard(isObserved && user.hasIdleTap) }
    let isSilent =
      downlink.gain.linearGain == 0 || (downlink.pan != nil && user.positionGain.percent == 0)
      || core.listener.playbackGain.linearGain == 0
    let isMeasured = volume.isActive || speech.isActive
    user.source.setHeard(!isSilent || isObserved || isMeasured || recording.isRecorded(key))
  }

  /// Whether a clock drives the pipeline. Thread: any.
  package var isRunning: Bool { core.run.isRunning.load(ordering: .relaxed) }

  /// Whether the volume of all playback is 0.
  package var isPlaybackSilent: Bool { lock.withLock { _ in core.listener.playbackGain.linearGain == 0 } }

  /// Whether a user is muted in the pipeline, or its volume is 0.
  package func isSilent(_ uid: UInt32, in channelID: String) -> Bool {
    lock.withLock { _ in
      guard let user = userStates.remote[UserKey(channelID: channelID, uid: uid)] else { return false }
      return user.downlink.map { $0.gain.linearGain == 0 } ?? true
    }
  }

  /// Handles an observer's request for other positions. The audio thread takes no lock: the driver or housekeeper
  /// checks soon.
  func maskHasChanged() { core.run.requestSweep() }
}
