import AudioGraph
import BenchmarkTwins
import Effects

/// A stereo limiter: not armed, armed and idle, armed with something to do, beside a bare delay in C.
enum LimiterSubject {
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let cases: [(name: String, isArmed: Bool, peak: Float)] = [
      ("not armed", false, 0.5), ("armed, voice with a peak of -6 dBFS", true, 0.5),
      ("armed, voice with a peak of 0 dBFS", true, 1), ("armed, 3 dB too loud", true, 1.41),
    ]
    for (name, isArmed, peak) in cases {
      let limiter = LimiterNode(channelCount: 2, sampleRate: 48_000, isArmed: isArmed)
      let samples = Signal.voice(count: 48_000, peak: peak)
      let ours = try chain(samples, limiter)
      let bare = try chain(samples, nil)
      let line = UnsafeMutablePointer<Float>.allocate(capacity: 2 * limiter.latency)
      let planes = UnsafeMutablePointer<Float>.allocate(capacity: 4 * count)
      line.initialize(repeating: 0, count: 2 * limiter.latency)
      planes.initialize(repeating: 0, count: 4 * count)
      defer {
        line.deallocate()
        planes.deallocate()
      }
      bench.compare(
        name, to: "source and C delay", turns: 600, iterations: 10, isPerFrame: true,
        ours: { for _ in 0..<$0 { ours.tick(timeNanoseconds: 0) } },
        twin: {
          for _ in 0..<$0 {
            bare.tick(timeNanoseconds: 0)
            for channel in 0..<2 {
              twin_delay(
                line + channel * limiter.latency, planes + channel * count, planes + (2 + channel) * count,
                limiter.latency, count)
            }
          }
        })
      let isLimiting = limiter.limitedFrameCount > 0
      try bench.check(isLimiting == (peak > 0.95) || !bench.wants(name), "'\(name)' does what it should not")
    }
  }

  private static func chain(_ samples: [Float], _ limiter: LimiterNode?) throws -> GraphRunner {
    let graph = try Graph(sampleRate: 48_000)
    var tail = try graph.add(LoopSourceNode(samples, channelCount: 2), named: "source")
    if let limiter {
      let id = try graph.add(limiter, named: "limiter")
      try graph.connect(tail, to: id)
      tail = id
    }
    try graph.connect(tail, to: try graph.add(NullSinkNode(channelCount: 2), named: "end"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    return runner
  }
}
