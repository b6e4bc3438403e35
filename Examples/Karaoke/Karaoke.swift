import AudioFiles
import AudioGraph
import Engine
import ExampleSupport
import Glibc
import PitchDetection

/// A voice with music under it, and a line that follows its pitch: Karaoke [VOICE [MUSIC [OUT.wav]]]
///
///     voice ─┬▶ + music ▶ limiter ▶ (RECORD) ▶ (MIXED) ▶ file
///            └▶ pitch meter ▶ localVoicePitch events ▶ the line
@main
enum Karaoke {
  static func main() { Example.run(sing) }

  private static func sing() throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard !arguments.contains("--help") else {
      Example.explain("usage: Karaoke [VOICE [MUSIC [OUTPUT]]]", isError: false)
    }
    let voice = arguments.popFirst() ?? "/usr/share/sounds/alsa/Front_Center.wav"
    let music = arguments.popFirst() ?? "/usr/share/sounds/alsa/Noise.wav"
    let output = arguments.popFirst() ?? "karaoke.wav"

    let reader = try AudioFileReader.open(path: voice)
    // In a call music that cannot be opened is a warning, and the call goes on; here there is nothing to go on with.
    _ = try AudioFileInfo(path: music)
    let rate = reader.format.sampleRate
    let pipeline = try AudioPipeline(PipelineOptions(sampleRate: rate, isLossless: true))
    try pipeline.setLocalSource(FileSource(reader, sampleRate: rate, uid: 0, ready: pipeline.bell))
    try pipeline.adjustAudioMixingVolume(10)
    try pipeline.startAudioMixing(music, cycle: -1)
    try pipeline.enableLocalVoicePitchCallback(interval: 50) { format in
      let node = try PitchMeterNode(format)
      return VoicePitchMeter(node) { node.estimate(atTick: $0)?.hertz }
    }
    pipeline.onEvent { event in
      guard case .localVoicePitch(let hertz) = event.kind, hertz > 0 else { return }
      print("\(event.tickCount * 10) ms \(line(hertz))")
    }

    let format = try AudioFormat(sampleRate: rate, channelCount: 2)
    let writer = try AudioFileOutput.create(
      path: output, format: format, options: OutputOptions(sampleFormat: .int16, overwrite: true))
    let sink = try FileSink(writer, sampleRate: rate, onRelease: pipeline.bell) { [weak pipeline] in
      pipeline?.endPosition
    }
    try pipeline.addSink(sink)
    try pipeline.runToEnd()
    try sink.finish()
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
