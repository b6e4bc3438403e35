package import AudioGraph

/// Runs one node in a graph of its own: samples in, samples out.
package struct NodeBench {
  /// What came out.
  package let output: [[Float]]
  /// The header of each frame that came out.
  package let headers: [FrameHeader]
  /// What the node was given, read after it had run.
  package let input: [[Float]]

  /// - Parameter inPlace: false to have a second reader of the input, which keeps it from being overwritten.
  /// - Parameter beforeTick: called with the tick's index before each.
  package init(
    _ node: any AudioNode, _ channels: [[Float]], sampleRate: Int, frames: Int, inPlace: Bool = true,
    beforeTick: (Int) throws -> Void = { _ in }
  ) throws {
    let graph = try Graph(sampleRate: sampleRate)
    let capacity = FrameSchedule(sampleRate: sampleRate).position(ofFrame: frames)
    let sink = MemorySink(channelCount: node.outputs[0].channelCount, capacity: capacity)
    let witness = MemorySink(channelCount: channels.count, capacity: capacity)
    let sourceID = try graph.add(MemorySource(channels), named: "source")
    let nodeID = try graph.add(node, named: "node")
    let sinkID = try graph.add(sink, named: "sink")
    try graph.connect(sourceID, to: nodeID)
    try graph.connect(nodeID, to: sinkID)
    if !inPlace { try graph.connect(sourceID, to: graph.add(witness, named: "witness")) }
    let runner = GraphRunner(sampleRate: sampleRate)
    try runner.install(graph)
    for tick in 0..<frames {
      try beforeTick(tick)
      runner.tick(timeNanoseconds: tick * 10_000_000)
    }
    output = sink.channels
    headers = sink.headers
    input = witness.channels
  }
}
