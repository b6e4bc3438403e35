/// What has happened in a player, and at which sample.
public struct PlayerEvent: BitwiseCopyable, Sendable {
  /// The kinds.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The first sample has been played.
    case started
    /// The sound's last sample has been played; it begins again. Told once a tick: the first of several times.
    case passEnded
    /// The last sample of all has been played.
    case finished
    /// The fade of a pause is over.
    case paused
    /// Playing again after a pause.
    case resumed
    /// The fade of a stop is over.
    case stopped
  }

  /// What has happened.
  public let kind: Kind
  /// When, in samples per channel of the graph.
  public let position: Int
  /// Whose blocks were playing.
  public let generation: UInt32

  @_noLocks
  init(kind: Kind, position: Int, generation: UInt32) {
    self.kind = kind
    self.position = position
    self.generation = generation
  }
}
