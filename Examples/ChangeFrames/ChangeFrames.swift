import AudioPipe

/// Writes into frames where they are: ChangeFrames [FILE] [OUT]
///
/// One observer folds the voice into its loudest 12 dB as Float32, in the pipeline's own memory. Another asks for
/// 16 kHz mono and gets it; what it changes there is converted back and added, so stereo and treble stay.
@main
enum ChangeFrames {
  static func main() { Program.run(change) }

  private static func change() throws {
    let arguments = CommandLine.arguments.dropFirst()
    var job = FileProcessing()
    job.input = .path(arguments.first ?? "/usr/share/sounds/alsa/Front_Center.wav")
    job.output = .path(arguments.dropFirst().first ?? "out/change-frames.wav", container: nil)
    job.overwrite = true
    job.panning = try Panning(-0.5)

    let saturate = ObserverRequest.readWrite(at: .record) { frame, _ in
      for channel in 0..<frame.channelCount {
        var plane = frame.plane(channel)
        for index in 0..<plane.count { plane[index] = plane[index] * 1.5 / (1 + abs(plane[index])) }
      }
    }
    let narrow = try AudioParams(
      sampleRate: 16_000, channelCount: 1, interval: .milliseconds(10), access: .readWrite)
    let soften = ObserverRequest.readWrite(at: .mixed, params: [.mixed: narrow]) { frame, _ in
      var samples = frame.samples
      for index in 0..<samples.count { samples[index] -= samples[index] / 4 }
    }
    job.observers = [saturate, soften]

    let result = try job.prepare().run()
    print("changed \(result.outputSamplesPerChannel) samples, \(result.outputFormat)")
    print("latency \(result.latencyMilliseconds) ms, cut off again; the ledger is off by \(result.ledger.imbalance())")
  }
}
