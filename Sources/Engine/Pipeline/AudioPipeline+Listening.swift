import AudioGraph
import Effects
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Says to every user's source whether anybody needs its frames. Under the lock, when anything has changed that
  /// decides it.
  func reconcileListening() {
    let isAnybodyObserved = hub.observedPositions.contains(.beforeMixing) || volumeMeters != nil
    for key in userOrder { setListening(key, isObserved: isAnybodyObserved) }
  }

  /// The same for one user, whose level has changed.
  func reconcileListening(_ key: UserKey) {
    setListening(key, isObserved: hub.observedPositions.contains(.beforeMixing) || volumeMeters != nil)
  }

  /// An observer asks for other positions. From the audio thread nothing is locked: the driver or housekeeper looks
  /// soon.
  func maskHasChanged() { needsSweep.store(true, ordering: .releasing) }

  /// A user is listened to while it is not muted, and heard, recorded by itself, measured, or observed before it is
  /// mixed.
  private func setListening(_ key: UserKey, isObserved: Bool) {
    guard let user = remoteUsers[key] else { return }
    guard let downlink = user.downlink else { return user.source.setHeard(false) }
    let isSilent =
      downlink.gain.linearGain == 0 || (downlink.pan != nil && user.positionGain.percent == 0)
      || listener.playbackGain.linearGain == 0
    let isNeeded = !isSilent || isObserved || recordings.contains { $0.tracks[.remote(key)] != nil }
    user.source.setHeard(isNeeded)
  }
}
