/// The samples that each frame of a stream holds: 10 ms each, without rounding errors that add up.
///
/// At a rate of R Hz, frame k holds the samples from floor(k R / 100) up to floor((k + 1) R / 100). At 22 050 Hz,
/// frames of 220 and 221 samples alternate, and 100 frames are always exactly one second.
public struct FrameSchedule: Hashable, Sendable {
  /// Frames per second.
  public static let framesPerSecond = 100

  /// Samples per second and channel, in Hz.
  public let sampleRate: Int

  /// Creates the schedule of a stream at `sampleRate` Hz.
  @inlinable
  public init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Returns the position of the first sample of frame `index`, counted from the beginning of the stream.
  @_noLocks @inlinable
  public func position(ofFrame index: Int) -> Int { floorDivide(index &* sampleRate, Self.framesPerSecond) }

  /// Returns the samples per channel of frame `index`.
  @_noLocks @inlinable
  public func samplesPerChannel(ofFrame index: Int) -> Int {
    position(ofFrame: index &+ 1) &- position(ofFrame: index)
  }

  /// Largest number of samples per channel that any frame holds.
  @inlinable
  public var maximumSamplesPerChannel: Int {
    @_noLocks get { (sampleRate &+ Self.framesPerSecond &- 1) / Self.framesPerSecond }
  }

  /// Returns the smallest number of frames that hold `samples` samples per channel.
  @_noLocks @inlinable
  public func frameCount(holding samples: Int) -> Int {
    guard samples > 0 else { return 0 }
    // Frame n is the last one needed when position(n) < samples <= position(n + 1).
    return floorDivide((samples &- 1) &* Self.framesPerSecond &+ Self.framesPerSecond &- 1, sampleRate) &+ 1
  }
}

/// Divides and rounds towards minus infinity, so that positions before the stream's beginning continue evenly.
@_noLocks @inlinable
public func floorDivide(_ dividend: Int, _ divisor: Int) -> Int {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient &- 1 : quotient
}
