public import Effects
package import Platform

/// How a sound effect is played.
public struct SoundEffect: Hashable, Sendable {
  /// The file.
  public var path: String
  /// How often it is played.
  public var repetition: Repetition
  /// The pitch, 0.5 to 2; the speed stays.
  public var pitch: PitchRatio
  /// Where it is heard.
  public var panning: Panning
  /// Its own level, 0 to 100; that of all effects multiplies it.
  public var gain: Volume
  /// Whether it is sent along with the local voice, or only heard here.
  public var isPublished: Bool
  /// Where in the file it begins.
  public var start: Duration

  /// An effect that is played once, as it is, and sent along.
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

  /// How often it is played; nil: forever.
  package var plays: Int? { repetition.plays }
}
