import CommandLineKit

/// A file that is one more speaker: `--user FILE[:gain=dB][:pan=-1...1][:at=s]`.
struct SpeakerFile: Hashable, Sendable {
  static let syntax = KeyValueSyntax(
    head: .file,
    keys: [
      KeyValueSyntax.Key(name: "gain", value: .number(ProcessOptions.gainRange, unit: "dB")),
      KeyValueSyntax.Key(name: "pan", value: .number(-1...1, unit: nil)),
      KeyValueSyntax.Key(name: "at", value: .number(0...86_400, unit: "s")),
    ])

  let path: String
  let gainDecibels: Double
  /// Panning: -1 is left, 1 is right.
  let pan: Double
  /// Start of the speaker, in seconds of the output.
  let startSeconds: Double

  init(_ value: KeyedValue) {
    path = value.head
    gainDecibels = value.number("gain") ?? 0
    pan = value.number("pan") ?? 0
    startSeconds = value.number("at") ?? 0
  }
}
