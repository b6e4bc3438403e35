import AudioGraph
import BenchmarkTwins
import FrameObservers

/// What a synchronous observer adds to a stereo frame at 48 kHz, beside the conversions that it asks for in C.
enum ObserverSubject {
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let bare = try path(nil)
    bench.measure("frame without an observer", iterations: 50, isPerFrame: true) { ticks(bare, $0) }

    let planes = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
    let integers = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * count)
    planes.initialize(repeating: 0.25, count: 2 * count)
    integers.initialize(repeating: 0, count: 2 * count)
    defer {
      planes.deallocate()
      integers.deallocate()
    }

    let calls = Counter()
    try compare(
      bench, "read-only, planes untouched", to: "no observer", .readOnly(at: .mixed) { _, _ in calls.add(1) },
      twin: { ticks(bare, $0) })
    try compare(
      bench, "read-only, 16 bits", to: "C loop",
      .readOnly(at: .mixed) { frame, _ in calls.add(Int(frame.samples[0])) },
      twin: { for _ in 0..<$0 { twin_interleave_int16(planes, planes + count, integers, count) } })
    try compare(
      bench, "read-write, 16 bits, every sample", to: "C loops",
      .readWrite(at: .mixed) { frame, _ in
        var samples = frame.samples
        for index in samples.indices { samples[index] = samples[index] &>> 1 }
      },
      twin: {
        for _ in 0..<$0 {
          twin_interleave_int16(planes, planes + count, integers, count)
          for index in 0..<(2 * count) { integers[index] &>>= 1 }
          twin_deinterleave_int16(integers, planes, planes + count, count)
        }
      })
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    try compare(
      bench, "read-only, 48 to 16 kHz mono", to: "no observer",
      .readOnly(at: .mixed, params: [.mixed: params]) { frame, _ in calls.add(Int(frame.samples[0])) },
      twin: { ticks(bare, $0) })
    let writable = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    try compare(
      bench, "read-write, 48 to 16 kHz mono", to: "no observer",
      .readWrite(at: .mixed, params: [.mixed: writable]) { frame, _ in
        var samples = frame.samples
        for index in samples.indices { samples[index] = samples[index] &>> 1 }
      },
      twin: { ticks(bare, $0) })
    try bench.check(calls.value != 0 || !bench.wants("read-only"), "no observer was called")
  }

  private static func compare(
    _ bench: Bench, _ name: String, to twinName: String, _ request: ObserverRequest, twin: (Int) -> Void
  ) throws {
    let observed = try path(request)
    bench.compare(
      name, to: twinName, iterations: 20, isPerFrame: true, ours: { ticks(observed, $0) }, twin: twin)
  }

  private static func ticks(_ path: ObservedPath, _ count: Int) {
    withExtendedLifetime(path.hub) {
      for _ in 0..<count { path.runner.tick(timeNanoseconds: 0) }
    }
  }

  private static func path(_ request: ObserverRequest?) throws -> ObservedPath {
    let graph = try Graph(sampleRate: 48_000)
    let hub = ObserverHub(graph: graph, isOffline: false, onRelease: Doorbell())
    let source = try graph.add(
      LoopSourceNode(Signal.voice(count: 48_000), channelCount: 2), named: "source")
    let place = try hub.addTapPoint(
      FrameOrigin(position: .mixed, channelID: ""), named: "mixed",
      format: try AudioFormat(sampleRate: 48_000, channelCount: 2), after: source)
    if let request { _ = try hub.add(request) }
    try graph.connect(place, to: try graph.add(NullSinkNode(channelCount: 2), named: "end"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    return ObservedPath(runner: runner, hub: hub)
  }
}

/// A running graph with its observers, which end with their hub.
private struct ObservedPath {
  let runner: GraphRunner
  let hub: ObserverHub
}
