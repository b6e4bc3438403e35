public import Effects
package import Platform

/// Settings of a sound effect.
public struct SoundEffect: Hashable, Sendable {
  /// Path of the file.
  public var path: String
  /// Number of times that the effect is played.
  public var repetition: Repetition
  /// Factor of the pitch, 0.5 to 2; the speed stays.
  public var pitch: PitchRatio
  /// Position of the effect between left and right.
  public var panning: Panning
  /// Level of this effect, 0 to 100; the level of all effects multiplies it.
  public var gain: Volume
  /// Whether the effect is sent along with the local voice, or only heard here.
  public var isPublished: Bool
  /// Start position in the file.
  public var start: Duration

  /// Creates an effect that is played once, unchanged, and sent along.
  public init(
    path: String, repetition: Repetition = .once, pitch: PitchRatio = .unchanged, panning: Panning = .center,
    gain: Volume = .unchanged, isPublished: Bool = true, start: Duration = .zero
  ) {
    self.path = path
    self.repetition = repetition
    self.pitch = pitch
    self.panning = panning
    self.gain = gain
    self.isPublished = isPublished
    self.start = start
  }

  package func check() throws(EngineError) {
    _ = try repetition.checkedPlays(of: "an effect")
    guard start >= .zero else {
      throw EngineError(.invalidArgument, "an effect cannot begin at \(start); use 0 or more")
    }
    guard Volume.attenuationRange.contains(gain.percent) else {
      throw EngineError(.invalidArgument, "the gain of an effect is 0 to 100, not \(gain.percent)")
    }
  }

  /// Number of times that the effect is played; nil for `forever`.
  package var plays: Int? { repetition.plays }
}
