public import AudioGraph

/// A span of a sound for a player: up to 10 ms of planar samples with their generation and position.
public struct PlayerBlock: BitwiseCopyable, Sendable {
  /// The samples, in memory that the ring owns.
  public let frame: Frame
  /// Samples per channel; 0 if the block carries only the marks below.
  public var count = 0
  /// Number that rises by one with every start and seek; the player discards blocks of an older generation.
  public var generation: UInt32 = 0
  /// Position of the first sample in the sound, in samples per channel of the graph's rate.
  public var position = 0
  /// Whether a pass of the sound ends with this block and another pass follows.
  public var endsPass = false
  /// Whether this is the last block of the sound.
  public var isLast = false

  init(_ frame: Frame) { self.frame = frame }
}

/// Ring that carries blocks from a prefetching thread to a player.
public typealias PlayerRing = Ring<PlayerBlock>

extension Ring where Element == PlayerBlock {
  /// Creates an empty ring for `capacity` blocks of 10 ms in `format`.
  public convenience init(capacity: Int, format: AudioFormat) {
    let memory = FrameMemory(count: capacity, format: format)
    self.init(capacity: capacity, policy: .dropNewest, keepAlive: memory) { PlayerBlock(memory[$0]) }
  }
}
