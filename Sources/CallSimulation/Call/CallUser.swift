/// One user of a simulated call: a file that stands in for a microphone.
public struct CallUser: Hashable, Sendable {
  /// The user's number in the channel, above 0.
  public var uid: UInt32
  /// The sound file; at its end the user falls silent and stays.
  public var path: String
  /// When the file begins, in seconds of the user's own time.
  public var startSeconds: Double
  /// By how much the user's sound card runs fast, in parts per million.
  public var driftPartsPerMillion: Double

  /// A user from its parts.
  public init(uid: UInt32, path: String, startSeconds: Double = 0, driftPartsPerMillion: Double = 0) {
    self.uid = uid
    self.path = path
    self.startSeconds = startSeconds
    self.driftPartsPerMillion = driftPartsPerMillion
  }
}
