/// An event of a player, with its position in the graph.
public struct PlayerEvent: BitwiseCopyable, Sendable {
  /// Kinds of events.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// The first sample has been played.
    case started
    /// The last sample of a pass has been played and another pass begins. Reported once a tick: the first of several.
    case passEnded
    /// The last sample of the last pass has been played.
    case finished
    /// The fade of a pause is over.
    case paused
    /// The player plays again after a pause.
    case resumed
    /// The fade of a stop is over.
    case stopped
  }

  /// Kind of the event.
  public let kind: Kind
  /// Position of the event, in samples per channel of the graph.
  public let position: Int
  /// Generation of the blocks that were playing.
  public let generation: UInt32

  @_noLocks
  init(kind: Kind, position: Int, generation: UInt32) {
    self.kind = kind
    self.position = position
    self.generation = generation
  }
}
