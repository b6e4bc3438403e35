import AudioGraph

extension GraphRunner {
  /// Renders `count` frames, 10 ms apart.
  func run(ticks count: Int) {
    for _ in 0..<count { tick(timeNanoseconds: tickCount * 10_000_000) }
  }
}

/// Runs `graph` for `ticks` frames from the beginning.
func render(_ graph: Graph, ticks: Int) throws {
  let runner = GraphRunner(sampleRate: graph.sampleRate)
  try runner.install(graph)
  runner.run(ticks: ticks)
}
