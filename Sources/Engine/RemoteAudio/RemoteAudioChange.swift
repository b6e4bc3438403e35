import FrameObservers
public import Metering

/// The sound of a remote user does something else than before.
public struct RemoteAudioChange: Hashable, Sendable {
  /// The user.
  public let speaker: SpeakerID
  /// What its sound does from now on.
  public let state: RemoteAudioState
  /// Why.
  public let reason: RemoteAudioReason
  /// Milliseconds since the call began: see `AudioPipeline.restartCallTime`.
  public let elapsedMilliseconds: Int

  /// A change from its parts.
  public init(speaker: SpeakerID, state: RemoteAudioState, reason: RemoteAudioReason, elapsedMilliseconds: Int) {
    self.speaker = speaker
    self.state = state
    self.reason = reason
    self.elapsedMilliseconds = elapsedMilliseconds
  }
}
