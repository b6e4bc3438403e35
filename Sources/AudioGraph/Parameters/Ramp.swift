/// A gain that moves linearly through the samples of one frame.
///
/// The first sample already takes the first step and the last one reaches `end`. The next frame thus continues without
/// a kink.
public struct Ramp: BitwiseCopyable, Sendable {
  /// Gain of the sample before the frame.
  public var start: Float
  /// Gain of the frame's last sample.
  public var end: Float

  /// Creates a ramp from `start` to `end`.
  @_noLocks @inlinable
  public init(from start: Float, to end: Float) {
    self.start = start
    self.end = end
  }

  /// Creates a constant gain.
  @_noLocks @inlinable
  public init(constant gain: Float) { self.init(from: gain, to: gain) }

  /// Whether the gain does not change within the frame.
  @inlinable public var isConstant: Bool { @_noLocks get { start == end } }

  /// Returns the change of the gain from one sample to the next, over `count` samples.
  @_noLocks @inlinable
  public func step(over count: Int) -> Float { (end - start) / Float(count) }
}
