/// A command for a player, which obeys it at the beginning of the next tick.
public enum PlayerCommand: BitwiseCopyable, Sendable {
  /// Plays blocks of this generation from a position of the graph on; the sound played before fades out first.
  case start(generation: UInt32, atPosition: Int, fadesIn: Bool)
  /// Fades out over 5 ms and waits.
  case pause
  /// Continues after `pause`, faded in.
  case resume
  /// Fades out over 5 ms and continues with blocks of this generation, faded in.
  case seek(generation: UInt32)
  /// Fades out over 5 ms and ends.
  case stop
}
