import AudioGraph
import BenchmarkTwins
import Effects

/// A mono voice shifted in both modes, with and without its formants, beside SoundTouch set for speech.
enum PitchShiftSubject {
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let samples = Signal.voice(count: 480_000)
    let output = UnsafeMutablePointer<Float>.allocate(capacity: 4 * count)
    defer { output.deallocate() }
    let budgets: [PitchShiftMode: Double] = [.lowDelay: 20, .quality: 180]
    for mode in PitchShiftMode.allCases {
      for (name, semitones) in [("an octave down", -12.0), ("3 semitones up", 3), ("an octave up", 12)] {
        let ratio = try PitchRatio(semitones: semitones)
        let ours = try chain(samples, ratio, mode, keepsFormants: false)
        let twin = twin_shift_create(ratio.value)!
        defer { twin_shift_destroy(twin) }
        var position = 0
        var given = 0
        bench.compare(
          "\(mode.rawValue), \(name)", to: "SoundTouch", turns: 200, iterations: 100, isPerFrame: true,
          ours: { for _ in 0..<$0 { ours.tick(timeNanoseconds: 0) } },
          twin: {
            for _ in 0..<$0 {
              samples.withUnsafeBufferPointer {
                given += twin_shift_run(twin, $0.baseAddress! + position, output, count)
              }
              position = (position + count) % samples.count
            }
          })
        if let figure = bench.figures.last, figure.name.hasSuffix("\(mode.rawValue), \(name)") {
          try bench.check(given > 0, "SoundTouch gave nothing")
          bench.note("\(mode.rawValue), \(name), budget", figure.median, unit: "µs", target: budgets[mode])
        }
      }
      for (name, semitones) in [("an octave down", -12.0), ("3 semitones up", 3), ("an octave up", 12)] {
        let formants = try chain(samples, try PitchRatio(semitones: semitones), mode, keepsFormants: true)
        bench.measure("\(mode.rawValue), \(name), formants kept", iterations: 100, isPerFrame: true) {
          for _ in 0..<$0 { formants.tick(timeNanoseconds: 0) }
        }
        if let figure = bench.figures.last, figure.name.hasSuffix("\(name), formants kept") {
          bench.note(
            "\(mode.rawValue), \(name), formants kept, budget", figure.median, unit: "µs", target: budgets[mode])
        }
      }
      let idle = try chain(samples, .unchanged, mode, keepsFormants: false)
      bench.measure("\(mode.rawValue), at 1", iterations: 100, isPerFrame: true) {
        for _ in 0..<$0 { idle.tick(timeNanoseconds: 0) }
      }
      let node = PitchShiftNode(channelCount: 1, sampleRate: 48_000, mode: mode)
      bench.note(
        "\(mode.rawValue), delay", Double(node.latency) / 48, unit: "ms", target: mode == .lowDelay ? 25 : 80)
    }
  }

  private static func chain(
    _ samples: [Float], _ ratio: PitchRatio, _ mode: PitchShiftMode, keepsFormants: Bool
  ) throws -> GraphRunner {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(LoopSourceNode(samples, channelCount: 1), named: "voice")
    let node = PitchShiftNode(
      channelCount: 1, sampleRate: 48_000, mode: mode, ratio: ratio, keepsFormants: keepsFormants)
    let shift = try graph.add(node, named: "pitch shift")
    try graph.connect(source, to: shift)
    try graph.connect(shift, to: try graph.add(ProbeSinkNode(channelCount: 1), named: "end"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    return runner
  }
}
