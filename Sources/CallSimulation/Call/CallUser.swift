/// One user of a simulated call, with a file in place of a microphone.
public struct CallUser: Hashable, Sendable {
  /// Number of the user in the channel, above 0.
  public var uid: UInt32
  /// Path of the sound file; at its end the user falls silent and stays in the call.
  public var path: String
  /// Start of the file, in seconds of the user's own time.
  public var startSeconds: Double
  /// Drift of the user's sound card, in parts per million; positive if it runs fast.
  public var driftPartsPerMillion: Double

  /// Creates a user from its parts.
  public init(uid: UInt32, path: String, startSeconds: Double = 0, driftPartsPerMillion: Double = 0) {
    self.uid = uid
    self.path = path
    self.startSeconds = startSeconds
    self.driftPartsPerMillion = driftPartsPerMillion
  }
}
