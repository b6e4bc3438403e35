import AudioGraph
import Effects
import FrameObservers

extension AudioPipeline {
  /// Tells every user's source whether anybody needs its frames. Under the lock, after any change that decides it.
  func reconcileListening() {
    let isAnybodyObserved = isAnybodyObserved
    for key in userStates.order { setListening(key, isObserved: isAnybodyObserved) }
  }

  /// The same for one user, whose level has changed.
  func reconcileListening(_ key: UserKey) { setListening(key, isObserved: isAnybodyObserved) }

  /// An observer asks for other positions. From the audio thread nothing is locked: the driver or housekeeper looks
  /// soon.
  func maskHasChanged() { core.run.requestSweep() }

  private var isAnybodyObserved: Bool {
    core.hub.observedPositions.contains(.beforeMixing) || volume.isActive
  }

  /// A user is listened to while it is not muted, and heard, recorded by itself, measured, or observed before it is
  /// mixed.
  private func setListening(_ key: UserKey, isObserved: Bool) {
    guard let user = userStates.remote[key] else { return }
    guard let downlink = user.downlink else { return user.source.setHeard(false) }
    let isSilent =
      downlink.gain.linearGain == 0 || (downlink.pan != nil && user.positionGain.percent == 0)
      || core.listener.playbackGain.linearGain == 0
    user.source.setHeard(!isSilent || isObserved || recording.isRecorded(key))
  }
}
