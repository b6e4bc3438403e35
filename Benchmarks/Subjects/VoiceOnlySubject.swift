import AudioGraph
import BenchmarkTwins
import Effects
import VoiceCorpus
import VoiceProcessing

/// A mono voice beside a fan and a keyboard with the voice-only mode on, beside speexdsp's noise suppressor, which does
/// part of it.
enum VoiceOnlySubject {
  static func run(_ bench: Bench) throws {
    for sampleRate in [16_000, 48_000] {
      let count = sampleRate / 100
      var room = VoiceGenerator(Speaker.all[2], sampleRate: sampleRate, seed: 1).speak(seconds: 10)
      for noise in RoomNoise.allCases { room = noise.added(to: room, decibels: 10, seed: 2) }
      let peak = room.samples.reduce(0) { max($0, abs($1)) }
      let samples = room.samples.map { $0 / peak }
      let numbers = samples.map { Int16($0 * 32_767) }
      let ours = try chain(samples, sampleRate: sampleRate, isOn: true)
      let twin = twin_denoiser_create(Int32(sampleRate), Int32(count))!
      defer { twin_denoiser_destroy(twin) }
      let work = UnsafeMutablePointer<Int16>.allocate(capacity: count)
      defer { work.deallocate() }
      var position = 0
      bench.compare(
        "\(sampleRate) Hz", to: "speexdsp", turns: 200, iterations: 100, isPerFrame: true,
        ours: { for _ in 0..<$0 { ours.tick(timeNanoseconds: 0) } },
        twin: {
          for _ in 0..<$0 {
            for index in 0..<count { work[index] = numbers[position + index] }
            twin_denoiser_run(twin, work)
            position = (position + count) % numbers.count
          }
        })
      let idle = try chain(samples, sampleRate: sampleRate, isOn: false)
      bench.measure("\(sampleRate) Hz, off", iterations: 100, isPerFrame: true) {
        for _ in 0..<$0 { idle.tick(timeNanoseconds: 0) }
      }
    }
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: 48_000)
    bench.note("delay", Double(node.latency) / 48, unit: "ms", target: 60)
  }

  private static func chain(_ samples: [Float], sampleRate: Int, isOn: Bool) throws -> GraphRunner {
    let graph = try Graph(sampleRate: sampleRate)
    let source = try graph.add(LoopSourceNode(samples, channelCount: 1), named: "voice")
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: sampleRate, isOn: isOn)
    let only = try graph.add(node, named: "voice only")
    try graph.connect(source, to: only)
    try graph.connect(only, to: try graph.add(ProbeSinkNode(channelCount: 1), named: "end"))
    let runner = GraphRunner(sampleRate: sampleRate)
    try runner.install(graph)
    return runner
  }
}
