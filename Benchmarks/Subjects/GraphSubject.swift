import AudioGraph

/// What the graph itself costs: the tick of so many sources that do nothing into one mixer, less the mixing kernel on
/// the same memory, and the time to compile such a graph.
enum GraphSubject {
  static func run(_ bench: Bench) throws {
    for sourceCount in [1, 10, 100, 1_000] { try tick(bench, sourceCount: sourceCount) }
    try compile(bench)
  }

  private static func tick(_ bench: Bench, sourceCount: Int) throws {
    let name = "tick, \(sourceCount) source\(sourceCount == 1 ? "" : "s") of 2 steps each"
    guard bench.wants(name) else { return }
    let runner = GraphRunner(sampleRate: 48_000)
    let probe = ProbeSinkNode(channelCount: 2)
    try runner.install(try graph(sourceCount: sourceCount, into: probe))
    try bench.check(runner.plan?.stepCount == 2 * sourceCount + 2, "the plan has other steps than expected")

    let memory = FrameMemory(count: sourceCount, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    let output = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 2))
    let inputs = UnsafeMutablePointer<MixInput>.allocate(capacity: sourceCount)
    defer { inputs.deallocate() }
    for index in 0..<sourceCount {
      let samples = UnsafePointer(memory[index].channel(0))
      (inputs + index).initialize(
        to: MixInput(
          left: samples, right: samples, leftGain: Ramp(constant: 1), rightGain: Ramp(constant: 1)))
    }
    var own: [Double] = []
    var kernelTime = 0.0
    bench.compareTimes(
      name, to: "the mixing kernel alone", turns: 400, isPerFrame: true, allocating: { ticks(runner, 1) },
      ours: {
        let iterations = max(1, 1_000 / sourceCount)
        let start = Bench.nanoseconds()
        ticks(runner, iterations)
        let time = (Bench.nanoseconds() - start) / Double(iterations)
        own.append((time - kernelTime) / Double(sourceCount))
        return time
      },
      twin: {
        let iterations = max(1, 1_000 / sourceCount)
        let start = Bench.nanoseconds()
        for _ in 0..<iterations { mix(inputs, sourceCount, output[0]) }
        kernelTime = (Bench.nanoseconds() - start) / Double(iterations)
        return kernelTime
      })
    // The first difference has no kernel's time yet.
    bench.note(
      "own cost a source and tick, \(sourceCount)", Bench.quantile(0.5, of: Array(own.dropFirst(2))) / 1_000,
      unit: "µs", target: 0.5)
  }

  private static func ticks(_ runner: GraphRunner, _ count: Int) {
    for _ in 0..<count { runner.tick(timeNanoseconds: 0) }
  }

  /// A thousand sources should take ten times as long as a hundred, not a hundred times.
  private static func compile(_ bench: Bench) throws {
    guard bench.wants("compile, 1000 sources, a tenth") else { return }
    let large = try graph(sourceCount: 1_000, into: ProbeSinkNode(channelCount: 2))
    let small = try graph(sourceCount: 100, into: ProbeSinkNode(channelCount: 2))
    try bench.check(try large.compile().stepCount == 2_002, "the plan has other steps than expected")
    bench.compareTimes(
      "compile, 1000 sources, a tenth", to: "100 sources", turns: 30, isPerFrame: true,
      ours: { time { _ = try? large.compile() } / 10 }, twin: { time { _ = try? small.compile() } })
    var built: Graph?
    bench.compareTimes(
      "build, 1000 sources, a tenth", to: "100 sources", turns: 10, isPerFrame: true,
      ours: { time { built = try? graph(sourceCount: 1_000, into: ProbeSinkNode(channelCount: 2)) } / 10 },
      twin: { time { built = try? graph(sourceCount: 100, into: ProbeSinkNode(channelCount: 2)) } })
    use(built)
  }

  private static func time(_ body: () -> Void) -> Double {
    let start = Bench.nanoseconds()
    body()
    return Bench.nanoseconds() - start
  }

  private static func graph(sourceCount: Int, into sink: ProbeSinkNode) throws -> Graph {
    let graph = try Graph(sampleRate: 48_000)
    let mixer = try graph.add(MixerNode(channelCount: 2), named: "mixer")
    for index in 0..<sourceCount {
      let source = try graph.add(IdleSourceNode(channelCount: 1), named: "source \(index)")
      let step = try graph.add(IdleNode(channelCount: 1), named: "step \(index)")
      try graph.connect(source, to: step)
      try graph.connect(step, to: mixer)
    }
    try graph.connect(mixer, to: try graph.add(sink, named: "sink"))
    return graph
  }

  private static func mix(_ inputs: UnsafePointer<MixInput>, _ sourceCount: Int, _ output: Frame) {
    var first = 0
    while first < sourceCount {
      let group = min(MixKernel.maximumInputCount, sourceCount - first)
      MixKernel.mix(
        inputs + first, inputCount: group, left: output.channel(0), right: output.channel(1), count: 480,
        adding: first > 0)
      first += group
    }
  }
}
