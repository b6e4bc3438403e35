package import AudioGraph
import PushPull

/// The local voice while channels are joined.
extension AudioPipeline {
  /// Sets the main channel of an engine: its users need no name of a channel.
  package func setMainChannel(_ channelID: String) { core.mainChannelID.withLock { $0 = channelID } }

  /// Puts another source in the place of a remote user's. Its settings stay.
  package func replaceSource(
    of uid: UInt32, with source: any AudioSource, channelID: String
  ) throws(EngineError) {
    try edit("the source of user \(uid) cannot be replaced", call: "replaceSource") {
      try userStates.replaceSource(of: userStates.key(uid, channelID: channelID), with: source)
    }
  }

  /// Calls `handler` at each mute of the local voice by the program, and at its end. Thread: that of the call.
  package func onLocalMute(_ handler: @escaping @Sendable (Bool) -> Void) {
    userStates.muteHandlers.withLock { $0.append(handler) }
  }

  /// Whether the program has muted the local voice.
  package var isLocalMuted: Bool { lock.withLock { _ in userStates.local?.isMuted == true } }

  /// Stops or resumes sending the local voice, as `local.setMuted` does, on behalf of the channels.
  package func setMutedByChannels(_ isMuted: Bool) {
    guard lock.withLock({ _ in userStates.isMutedByChannels != isMuted }) else { return }
    try? edit("the local stream cannot be muted", call: "setMutedByChannels") {
      userStates.isMutedByChannels = isMuted
      try userStates.reconcileLocal()
    }
  }

  /// Closes the device of the local source while no channel is joined, and opens it again.
  package func holdMicrophone(_ isHeld: Bool) {
    lock.withLock { _ in
      guard userStates.isMicrophoneHeld != isHeld else { return }
      userStates.isMicrophoneHeld = isHeld
      devices.applyCapture()
    }
  }

  /// Whether a program pushes the local voice, and has not begun to.
  package var awaitsFirstPush: Bool {
    lock.withLock { _ in (userStates.local?.source as? PushSource).map { !$0.hasSamples } ?? false }
  }

  /// Channels of the local user's sent sound, 1 or 2; nil without a local user.
  package var localChannelCount: Int? { lock.withLock { _ in userStates.local.map { min(2, $0.sentChannelCount) } } }
}
