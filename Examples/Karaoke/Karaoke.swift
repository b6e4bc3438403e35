import AudioPipeWithPitch
import Glibc

/// A voice with music under it, and a line that follows its pitch: Karaoke [VOICE [MUSIC [OUT.wav]]]
///
///     voice ─┬▶ + music ▶ limiter ▶ (RECORD) ▶ (MIXED) ▶ file
///            └▶ pitch meter ▶ localVoicePitch events ▶ the line
@main
enum Karaoke {
  static func main() async { await Program.run(sing) }

  private static func sing() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help") else {
      Program.showUsage("usage: Karaoke [VOICE [MUSIC [OUTPUT]]]")
    }
    let voice = arguments.popFirst() ?? "/usr/share/sounds/alsa/Front_Center.wav"
    let music = arguments.popFirst() ?? "/usr/share/sounds/alsa/Noise.wav"
    let output = arguments.popFirst() ?? "karaoke.wav"

    let reader = try AudioFileReader.open(path: voice)
    // In a call music that cannot be opened is a warning, and the call goes on; here there is nothing to go on with.
    _ = try AudioFileInfo(path: music)
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: reader.format.sampleRate)
    try pipeline.setLocalSource(.file(reader))
    try pipeline.adjustAudioMixingVolume(10)
    try pipeline.startAudioMixing(music, cycle: -1)
    try pipeline.startVoicePitchReports(every: .milliseconds(50))
    pipeline.onEvent { event in
      guard case .localVoicePitch(let hertz) = event.kind, hertz > 0 else { return }
      print("\(event.tickCount * 10) ms \(line(hertz))")
    }

    let sink = try pipeline.addSink(.file(output, overwrite: true))
    try await pipeline.run()
    print("\(sink.samplesPerChannelWritten) samples in \(output)")
  }

  /// The note nearest to a pitch, and a mark: a column for each half tone from A1 (55 Hz) on.
  private static func line(_ hertz: Double) -> String {
    let names = ["A", "A#", "B", "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#"]
    let distance = Int((12 * log2(hertz / 55)).rounded())
    // Octaves are counted from C.
    let name = names[(distance % 12 + 12) % 12] + "\((distance + 9) / 12 + 1)"
    return String(repeating: " ", count: max(0, distance)) + "* " + name
  }
}
