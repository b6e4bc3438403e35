public import Effects
package import Platform

/// How a sound effect is played.
public struct SoundEffect: Hashable, Sendable {
  /// The file.
  public var path: String
  /// How often it is repeated after the first time; -1 for ever.
  public var loopCount: Int
  /// The pitch, 0.5 to 2; the speed stays.
  public var pitch: PitchRatio
  /// Where it is heard.
  public var panning: Panning
  /// Its own level, 0 to 100; that of all effects multiplies it.
  public var gain: Volume
  /// Whether it is sent along with the local voice, or only heard here.
  public var isPublished: Bool
  /// Where in the file it begins, in milliseconds.
  public var startMilliseconds: Int

  /// An effect that is played once, as it is, and sent along.
  public init(
    path: String, loopCount: Int = 0, pitch: PitchRatio = .unchanged, panning: Panning = .center,
    gain: Volume = .unchanged, isPublished: Bool = true, startMilliseconds: Int = 0
  ) {
    self.path = path
    self.loopCount = loopCount
    self.pitch = pitch
    self.panning = panning
    self.gain = gain
    self.isPublished = isPublished
    self.startMilliseconds = startMilliseconds
  }

  package func check() throws(EngineError) {
    guard loopCount >= -1 else {
      throw EngineError(.invalidArgument, "a loop count of \(loopCount) is not possible; use -1 (for ever), 0 or more")
    }
    guard startMilliseconds >= 0 else {
      throw EngineError(.invalidArgument, "an effect cannot begin at \(startMilliseconds) ms; use 0 or more")
    }
    guard Volume.attenuationRange.contains(gain.percent) else {
      throw EngineError(.invalidArgument, "the gain of an effect is 0 to 100, not \(gain.percent)")
    }
  }

  /// How often it is played; nil for ever.
  package var plays: Int? { loopCount < 0 ? nil : min(loopCount, .max - 1) + 1 }
}
