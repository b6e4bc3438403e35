import AudioGraph
import Effects
import FrameObservers

extension AudioPipeline {
  /// Notifies every user's source whether its frames are needed. Under the lock, after any change that decides it.
  func reconcileListening() {
    let isAnybodyObserved = isAnybodyObserved
    for key in userStates.order { setListening(key, isObserved: isAnybodyObserved) }
  }

  /// Notifies one user's source whether its frames are needed, after a change of the user's level.
  func reconcileListening(_ key: UserKey) { setListening(key, isObserved: isAnybodyObserved) }

  /// Handles an observer's request for other positions. The audio thread takes no lock: the driver or housekeeper
  /// checks soon.
  func maskHasChanged() { core.run.requestSweep() }

  private var isAnybodyObserved: Bool {
    core.hub.observedPositions.contains(.beforeMixing) || volume.isActive
  }

  /// Notifies one user's source. A user is listened to while it is not muted, and is heard, recorded by itself,
  /// measured, or observed before mixing. It is not heard while its own volume, that of its position, or that of all
  /// playback is 0.
  private func setListening(_ key: UserKey, isObserved: Bool) {
    guard let user = userStates.remote[key] else { return }
    guard let downlink = user.downlink else { return user.source.setHeard(false) }
    let isSilent =
      downlink.gain.linearGain == 0 || (downlink.pan != nil && user.positionGain.percent == 0)
      || core.listener.playbackGain.linearGain == 0
    user.source.setHeard(!isSilent || isObserved || recording.isRecorded(key))
  }
}
