/// The user and channel of a frame's audio, and the position at which it was observed.
public struct FrameOrigin: Hashable, Sendable {
  /// Position in the pipeline.
  public let position: ObserverPosition
  /// Channel that the audio belongs to; empty for several or none.
  public let channelID: String
  /// User of the audio: the remote one before mixing, the local one at record; 0 if several were mixed.
  public let uid: UInt32

  /// Creates an origin from its parts.
  public init(position: ObserverPosition, channelID: String = "", uid: UInt32 = 0) {
    self.position = position
    self.channelID = channelID
    self.uid = uid
  }
}
