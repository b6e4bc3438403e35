/// Level of one frame.
public struct FrameLevel: BitwiseCopyable, Sendable, Hashable {
  /// The tick in which the frame was rendered.
  public var tick: Int
  /// Sum of the squares of all samples of all channels.
  public var squareSum: Double
  /// Samples measured, all channels together.
  public var sampleCount: Int
  /// Greatest magnitude of a sample.
  public var peak: Float
  /// Number of samples of at least `LevelKernel.clippingMagnitude`.
  public var clippedCount: Int
  /// Whether somebody speaks; false if detection is off.
  public var isVoice: Bool

  /// Creates a level from its parts; without any, the level of silence.
  @_noLocks
  public init(
    tick: Int = 0, squareSum: Double = 0, sampleCount: Int = 0, peak: Float = 0, clippedCount: Int = 0,
    isVoice: Bool = false
  ) {
    self.tick = tick
    self.squareSum = squareSum
    self.sampleCount = sampleCount
    self.peak = peak
    self.clippedCount = clippedCount
    self.isVoice = isVoice
  }

  /// Mean of the squares: 1 is full scale.
  public var meanSquare: Double { sampleCount > 0 ? squareSum / Double(sampleCount) : 0 }

  /// Adds another level.
  public mutating func merge(_ other: FrameLevel) {
    squareSum += other.squareSum
    sampleCount += other.sampleCount
    peak = max(peak, other.peak)
    clippedCount += other.clippedCount
    isVoice = isVoice || other.isVoice
  }

  /// Adds more samples.
  @_noLocks
  public mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    LevelKernel.add(samples, count: count, to: &self)
  }
}
