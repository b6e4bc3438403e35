public import AudioGraph

/// A stretch of a sound on its way to a player: up to 10 ms of planar samples and where they belong.
public struct PlayerBlock: BitwiseCopyable, Sendable {
  /// The samples, in memory that the ring owns.
  public let frame: Frame
  /// Samples per channel; 0 where only the marks below count.
  public var count = 0
  /// Rises by one with every start and seek; blocks of an older generation are thrown away.
  public var generation: UInt32 = 0
  /// Position of the first sample in the sound, in samples per channel of the graph's rate.
  public var position = 0
  /// True where the sound ends with this block, to begin again or not.
  public var endsPass = false
  /// True where nothing follows.
  public var isLast = false

  init(_ frame: Frame) { self.frame = frame }
}

/// The way of blocks from a prefetching thread to a player.
public typealias PlayerRing = Ring<PlayerBlock>

extension Ring where Element == PlayerBlock {
  /// An empty ring for `capacity` blocks of 10 ms in `format`.
  public convenience init(capacity: Int, format: AudioFormat) {
    let memory = FrameMemory(count: capacity, format: format)
    self.init(capacity: capacity, policy: .dropNewest, keepAlive: memory) { PlayerBlock(memory[$0]) }
  }
}
