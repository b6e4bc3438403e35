/// A gain that moves in a straight line through the samples of one frame.
///
/// The first sample already takes the first step and the last one reaches `end`, so that the frame after it
/// goes on without a kink.
public struct Ramp: BitwiseCopyable, Sendable {
  /// Gain of the sample before the frame.
  public var start: Float
  /// Gain of the frame's last sample.
  public var end: Float

  /// A ramp from `start` to `end`.
  @_noLocks @inlinable
  public init(from start: Float, to end: Float) {
    self.start = start
    self.end = end
  }

  /// A gain that stays.
  @_noLocks @inlinable
  public init(constant gain: Float) { self.init(from: gain, to: gain) }

  /// True where the gain does not change within the frame.
  @inlinable public var isConstant: Bool { @_noLocks get { start == end } }

  /// Change of the gain from one sample to the next, over `count` samples.
  @_noLocks @inlinable
  public func step(over count: Int) -> Float { (end - start) / Float(count) }
}
