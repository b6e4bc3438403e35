import AudioPipe

/// Frames as an `AsyncSequence`, 16 kHz mono as a speech recogniser wants them: AsyncFrames [FILE]
@main
enum AsyncFrames {
  static func main() async { await Program.run(levels) }

  private static func levels() async throws {
    let path = CommandLine.arguments.dropFirst().first ?? "/usr/share/sounds/alsa/Front_Center.wav"
    let pipeline = try AudioPipeline(mode: .offline)
    try pipeline.addSpeaker(1, from: .file(path))
    let frames = try pipeline.frames(
      at: .mixed, params: AudioParams(sampleRate: 16_000, channelCount: 1, interval: .milliseconds(100)))

    async let run: Void = pipeline.run()
    for await frame in frames {
      let squares = frame.samples.reduce(0.0) { $0 + Double($1) * Double($1) }
      let level = (squares / Double(frame.samples.count)).squareRoot()
      let bar = String(repeating: "#", count: Int(level / 100))
      print("\(frame.samplePosition * 1_000 / frame.sampleRate) ms \(bar)")
    }
    try await run
  }
}
