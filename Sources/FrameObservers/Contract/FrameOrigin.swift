/// Whose audio a frame carries, and where it was seen.
public struct FrameOrigin: Hashable, Sendable {
  /// The position in the pipeline.
  public let position: ObserverPosition
  /// The channel that the audio belongs to; empty where several, or none, are meant.
  public let channelID: String
  /// The user: the remote one before mixing, the local one at record; 0 where several were mixed.
  public let uid: UInt32

  /// A source from its parts.
  public init(position: ObserverPosition, channelID: String = "", uid: UInt32 = 0) {
    self.position = position
    self.channelID = channelID
    self.uid = uid
  }
}
