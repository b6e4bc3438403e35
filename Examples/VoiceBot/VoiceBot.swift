import AudioPipe
import Glibc

/// Answers the caller at an RTP port, and stops at once if interrupted: VoiceBot ADDRESS PROMPT HEARD [SECONDS [PARTY]]
///
/// The prompt is said whenever the caller has spoken. HEARD gets the samples for a recogniser: 16 kHz, mono, 16 bits,
/// without a header. PARTY is the address of a bridge that waits for a packet before it sends: it gets Opus at once.
@main
enum VoiceBot {
  static func main() async { await Program.run(talk) }

  private static func talk() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3, let recogniser = fopen(arguments[2], "w") else {
      Program.showUsage("usage: VoiceBot ADDRESS PROMPT HEARD [SECONDS [PARTY]]")
    }
    defer { fclose(recogniser) }
    // A speech synthesizer would give these samples.
    let prompt = try AudioFileReader.open(path: arguments[1])
    var samples = [Float](repeating: 0, count: 30 * prompt.format.sampleRate)
    let count = try samples.withUnsafeMutableBufferPointer {
      try prompt.read(into: $0.baseAddress!, stride: $0.count, maximumCount: $0.count)
    }
    let speech = Array(samples[..<count])

    let pipeline = try AudioPipeline()
    let mouth = try pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: prompt.format.sampleRate, channelCount: 1)))
    var options = RTPEndpointOptions()
    if arguments.count > 4 {
      options.remoteAddress = try SocketAddress(arguments[4])
      options.sending = .stream(SenderOptions(ssrc: .random(in: 1...(.max))))
    }
    let endpoint = try RTPEndpoint(pipeline, at: arguments[0], options: options)
    let ears = try pipeline.speech(of: 1, as: AudioParams(sampleRate: 16_000, channelCount: 1))
    endpoint.onEvent { event in
      print(event)
      if case .sourceEnded = event { ears.cancel() }
    }
    try pipeline.start()
    try endpoint.start()
    let limit = Task {
      try await Task.sleep(for: .seconds(min(86_400, arguments.count > 3 ? Int(arguments[3]) ?? 60 : 86_400)))
      ears.cancel()
    }
    for await part in ears {
      switch part {
      case .began: print("the caller speaks; the prompt ends at sample \(await mouth.interrupt())")
      case .frame(let frame): fwrite(frame.samples, 2, frame.samples.count, recogniser)
      case .ended: Task { try await mouth.push(speech) }
      }
    }
    limit.cancel()
    endpoint.stop()
    pipeline.stop()
  }
}
