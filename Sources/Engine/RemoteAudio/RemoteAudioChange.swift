import FrameObservers
public import Metering

/// A change in the state of a remote user's sound.
public struct RemoteAudioChange: Hashable, Sendable {
  /// The user.
  public let speaker: SpeakerID
  /// State of the sound from now on.
  public let state: RemoteAudioState
  /// Reason for the change.
  public let reason: RemoteAudioReason
  /// Milliseconds since the call began: see `AudioPipeline.restartCallTime`.
  public let elapsedMilliseconds: Int

  /// Creates a change.
  public init(speaker: SpeakerID, state: RemoteAudioState, reason: RemoteAudioReason, elapsedMilliseconds: Int) {
    self.speaker = speaker
    self.state = state
    self.reason = reason
    self.elapsedMilliseconds = elapsedMilliseconds
  }
}
