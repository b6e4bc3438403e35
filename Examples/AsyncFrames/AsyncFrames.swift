import AudioFiles
import AudioGraph
import Engine
import ExampleSupport
import FrameObservers

/// Frames as an `AsyncSequence`, 16 kHz mono as a speech recogniser wants them: AsyncFrames [FILE]
@main
enum AsyncFrames {
  static func main() async { await Example.run(levels) }

  private static func levels() async throws {
    let path = CommandLine.arguments.dropFirst().first ?? "/usr/share/sounds/alsa/Front_Center.wav"
    let reader = try AudioFileReader.open(path: path)
    let rate = reader.format.sampleRate
    let pipeline = try AudioPipeline(PipelineOptions(sampleRate: rate, isLossless: true))
    try pipeline.addSpeaker(1, from: FileSource(reader, sampleRate: rate, uid: 1, ready: pipeline.bell))
    let frames = try pipeline.frames(
      at: .mixed, params: AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_600))

    // It blocks until the file has been played, so it gets a thread of its own rather than one of the pool's.
    let run = try BackgroundThread(named: "pipeline") {
      do { try pipeline.runToEnd() } catch { print("\(error)") }
    }
    for await frame in frames {
      let squares = frame.samples.reduce(0.0) { $0 + Double($1) * Double($1) }
      let level = (squares / Double(frame.samples.count)).squareRoot()
      let bar = String(repeating: "#", count: Int(level / 100))
      print("\(frame.samplePosition * 1_000 / frame.sampleRate) ms \(bar)")
    }
    run.join()
  }
}
