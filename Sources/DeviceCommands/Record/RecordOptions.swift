import AudioFiles
import AudioGraph
import CommandLineKit
import Devices
import Effects
import Engine
import FrameObservers
import OfflineProcessing
import SoundOptions

/// Arguments of `record`, typed and checked.
struct RecordOptions {
  let output: String
  let live: LiveOptions
  let sampleRate: Int
  let channelCount: Int
  let sampleFormat: SampleFormat
  let volume: Volume
  let pitch: VoicePitch?
  let isVoiceOnly: Bool
  let program: FrameProgram?
  let monitor: DeviceChoice?

  /// Reads the options.
  ///
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    live = try LiveOptions(parsed, hearsItself: parsed.has("monitor"))
    guard let output = parsed.text("output") else { throw .usage("record needs -o FILE for the sound") }
    guard output != "-" else {
      throw .usage("record writes a file that it completes at the end; a program gets frames by --observe-cmd")
    }
    self.output = output
    monitor = try parsed.text("monitor").map { text throws(CommandFailure) in
      try DeviceChoice(text, option: "--monitor")
    }
    sampleRate = parsed.integer("rate") ?? 48_000
    channelCount = parsed.integer("channels") ?? 1
    sampleFormat = parsed.text("sample-format").flatMap { SampleFormat(rawValue: $0) } ?? .int16
    volume = (try? Volume(Double(parsed.integer("volume") ?? 100))) ?? .unchanged
    pitch = try VoicePitch(parsed)
    isVoiceOnly = parsed.has("voice-only")
    program = try FrameProgram(parsed, defaultPosition: .record)
    var claims = OutputConflicts(advice: "give each its own name")
    if case .file(let path) = live.device { claims.reads(path, as: "input") }
    try claims.writes(output, as: "recording", of: "the device")
    if case .file(let path)? = monitor { try claims.writes(path, as: "monitored sound", of: "the device") }
  }
}
