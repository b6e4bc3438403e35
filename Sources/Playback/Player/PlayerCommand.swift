/// What a player is asked to do; obeyed at the beginning of the next tick.
public enum PlayerCommand: BitwiseCopyable, Sendable {
  /// Plays blocks of this generation from a position of the graph on. What it played before fades out first.
  case start(generation: UInt32, atPosition: Int, fadesIn: Bool)
  /// Fades out over 5 ms and waits.
  case pause
  /// Fades in where `pause` left off.
  case resume
  /// Fades out over 5 ms and goes on with blocks of this generation, faded in.
  case seek(generation: UInt32)
  /// Fades out over 5 ms and ends.
  case stop
}
