import CommandLineKit
import Effects

/// A sound effect under a number: `--effect ID=FILE[:at=s][:pan=-1...1][:gain=0...100][:pitch=0.5...2][:loop=N]`.
struct EffectFile: Hashable, Sendable {
  static let syntax = KeyValueSyntax(
    head: .file, headSyntax: "ID=FILE",
    keys: [
      KeyValueSyntax.Key(name: "at", value: .number(0...86_400, unit: "s")),
      KeyValueSyntax.Key(name: "pan", value: .number(-1...1, unit: nil)),
      KeyValueSyntax.Key(name: "gain", value: .integer(0...100)),
      KeyValueSyntax.Key(name: "pitch", value: .number(PitchRatio.range, unit: nil)),
      KeyValueSyntax.Key(name: "loop", value: .integer(-1...1_000_000)),
    ])

  let soundID: Int
  let path: String
  /// Start of the effect, in seconds of the output.
  let startSeconds: Double
  /// Panning: -1 is left, 1 is right.
  let pan: Double
  /// Gain: 100 is the file as it is.
  let gain: Int
  let pitch: Double
  /// Number of repetitions; -1 for endless.
  let loopCount: Int

  /// Reads the value of `--effect`.
  ///
  /// - Throws: a usage failure if the value does not begin with a number and `=`.
  init(_ value: KeyedValue) throws(CommandFailure) {
    let parts = value.head.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let soundID = Int(parts[0]), soundID >= 0, !parts[1].isEmpty else {
      throw .usage("option '--effect' needs a number before the file, such as 7=door.wav; it was given '\(value.head)'")
    }
    self.soundID = soundID
    path = String(parts[1])
    startSeconds = value.number("at") ?? 0
    pan = value.number("pan") ?? 0
    gain = value.integer("gain") ?? 100
    pitch = value.number("pitch") ?? 1
    loopCount = value.integer("loop") ?? 0
  }
}
