import AudioGraph
import BenchmarkTwins
import Engine
import FrameObservers
import Glibc
import Metering
import OfflineProcessing

/// What a level meter adds to a frame at 48 kHz, without and with voice activity, beside a plain loop in C.
enum LevelSubject {
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let cases: [(name: String, channelCount: Int, detectsVoice: Bool)] = [
      ("mono", 1, false), ("stereo", 2, false), ("mono, voice activity", 1, true),
      ("stereo, voice activity", 2, true),
    ]
    for (name, channelCount, detectsVoice) in cases {
      let samples = Signal.voice(count: 48_000)
      let meter = LevelMeterNode(channelCount: channelCount, sampleRate: 48_000, detectsVoice: detectsVoice)
      let ours = try chain(samples, channelCount, meter)
      let bare = try chain(samples, channelCount, NullSinkNode(channelCount: channelCount))
      var tick = 0
      var power = 0.0
      bench.compare(
        name, to: "source and C loop", turns: 600, iterations: 20, isPerFrame: true,
        ours: {
          for _ in 0..<$0 {
            ours.tick(timeNanoseconds: 0)
            if let level = meter.levels.level(atTick: tick) { power += level.squareSum }
            tick += 1
          }
        },
        twin: {
          for index in 0..<$0 {
            bare.tick(timeNanoseconds: 0)
            for _ in 0..<channelCount {
              samples.withUnsafeBufferPointer { use(twin_level($0.baseAddress! + index * count, count)) }
            }
          }
        })
      try bench.check(power > 0 || !bench.wants(name), "the meter '\(name)' gave no levels")
    }
    try track(bench)
  }

  /// The volume of a file over time, with voice activity, beside GStreamer's level, which has none: CPU time of all
  /// threads for ten minutes of stereo.
  private static func track(_ bench: Bench) throws {
    let name = "volume track of an hour of stereo, by ten minutes"
    guard bench.wants(name) else { return }
    let folder = try TemporaryFolder()
    let path = folder.path + "/in.wav"
    try StereoFile.make(path, seconds: 600, peak: 0.6, isHollow: false)
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for _ in 0..<(bench.options.isQuick ? 1 : 5) {
      let start = cpuSeconds(of: RUSAGE_SELF)
      let result = try FileAnalysis(.path(path)).run()
      ours.append(6 * (cpuSeconds(of: RUSAGE_SELF) - start))
      try bench.check(result.levels.count == 3_000 && result.total.volume > 100, "the track is not that of the file")
      let other = cpuSeconds(of: RUSAGE_CHILDREN)
      let status = system(
        "exec gst-launch-1.0 -q filesrc location=\(path) ! wavparse ! level interval=200000000 ! fakesink 2>/dev/null")
      if status == 0 { theirs.append(6 * (cpuSeconds(of: RUSAGE_CHILDREN) - other)) }
    }
    let median = Bench.quantile(0.5, of: ours)
    if theirs.isEmpty {
      bench.note(name, median, unit: "CPU s")
    } else {
      // What the track may cost, 0.35 s, where GStreamer's costs 0.72 s.
      bench.note(
        name, median, unit: "CPU s", besides: Bench.quantile(0.5, of: theirs), of: "GStreamer's level",
        target: 0.35 / 0.72)
    }
    withExtendedLifetime(folder) {}
  }

  private static func cpuSeconds(of whom: __rusage_who) -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(whom.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  private static func chain(_ samples: [Float], _ channelCount: Int, _ sink: any AudioNode) throws -> GraphRunner {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(LoopSourceNode(samples, channelCount: channelCount), named: "source")
    try graph.connect(source, to: try graph.add(sink, named: "sink"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    return runner
  }
}
