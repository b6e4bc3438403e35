import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(10))) struct BufferAssignmentTests {
  @Test("a chain of ten nodes that render in place uses one buffer")
  func chainInPlace() throws {
    #expect(try chain(inPlace: true).compile().bufferCount == 1)
  }

  @Test("a chain of ten nodes that do not render in place uses two buffers")
  func chainApart() throws {
    #expect(try chain(inPlace: false).compile().bufferCount == 2)
  }

  @Test("a hundred sources with a gain each need 101 buffers")
  func sources() throws {
    let graph = try Graph(sampleRate: 48_000)
    let mixer = try graph.add(MixerNode(channelCount: 2), named: "mix")
    for index in 0..<100 {
      let source = try graph.add(SignalSource(constant: 0), named: "source \(index)")
      let gain = try graph.add(LinearNode(gain: 1), named: "gain \(index)")
      try graph.connect(source, to: gain)
      try graph.connect(gain, to: mixer)
    }
    try graph.connect(mixer, to: graph.add(RecordingSink(channelCount: 2), named: "file"))
    #expect(try graph.compile().bufferCount == 101)
  }

  @Test("a sink before a node that renders in place sees unmodified samples", arguments: [false, true])
  func looksBefore(sinkIsConnectedFirst: Bool) throws {
    let graph = try Graph(sampleRate: 48_000)
    let signal: @Sendable (Int, Int) -> Float = { Float($1 % 97) / 97 }
    let source = try graph.add(SignalSource(signal), named: "voice")
    let before = RecordingSink()
    let after = RecordingSink()
    let look = try graph.add(before, named: "look")
    let gain = try graph.add(LinearNode(gain: 0.5), named: "gain")
    if sinkIsConnectedFirst { try graph.connect(source, to: look) }
    try graph.connect(source, to: gain)
    if !sinkIsConnectedFirst { try graph.connect(source, to: look) }
    try graph.connect(gain, to: graph.add(after, named: "file"))
    // Looking costs no buffer, because who looks goes first.
    #expect(try graph.compile().bufferCount == 1)
    try render(graph, ticks: 2)
    #expect(before.samples == (0..<960).map { signal(0, $0) })
    #expect(after.samples == (0..<960).map { signal(0, $0) * 0.5 })
  }

  @Test("two in-place nodes at one output do not disturb each other")
  func twoInPlace() throws {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource { Float($1) }, named: "voice")
    let sinks = [RecordingSink(), RecordingSink()]
    for (index, sink) in sinks.enumerated() {
      let gain = try graph.add(LinearNode(gain: Float(index + 2)), named: "gain \(index)")
      try graph.connect(source, to: gain)
      try graph.connect(gain, to: graph.add(sink, named: "file \(index)"))
    }
    try render(graph, ticks: 1)
    #expect(sinks[0].samples == (0..<480).map { Float($0) * 2 })
    #expect(sinks[1].samples == (0..<480).map { Float($0) * 3 })
  }

  @Test("a node that reads one output twice does not render in place")
  func sameSourceTwice() throws {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource { Float($1) }, named: "voice")
    let sum = try graph.add(
      LinearNode(gains: [[1, 2]], channelCounts: 1...1, outputChannelCount: 1), named: "sum")
    let sink = RecordingSink()
    try graph.connect(source, to: sum, input: 0)
    try graph.connect(source, to: sum, input: 1)
    try graph.connect(sum, to: graph.add(sink, named: "file"))
    #expect(try graph.compile().bufferCount == 2)
    try render(graph, ticks: 1)
    #expect(sink.samples == (0..<480).map { Float($0) * 3 })
  }

  @Test("outputs that are alive at once never share a buffer, in random graphs", arguments: 0..<60)
  func noSharing(seed: Int) throws {
    let random = try RandomGraph(seed: seed, nodeCount: 30, sampleRate: 8_000, ticks: 0)
    let flow = try Flow(graph: random.graph, reusing: nil)
    var assignment = BufferAssignment()
    let slots = assignment.assign(flow.order)
    var content: [BufferAssignment.Slot: FlowNode.Source] = [:]
    for node in flow.order {
      for input in node.inputs {
        let source = try #require(input.source)
        #expect(content[slots[source]!] == source, "seed \(seed): '\(node.name)' finds another's samples")
      }
      for port in node.node.outputs.indices {
        let source = FlowNode.Source(key: node.key, port: port)
        content[slots[source]!] = source
      }
    }
  }

  @Test("random graphs sound like a reference with an array for every output", arguments: 0..<60, [8_000, 22_050])
  func likeTheReference(seed: Int, sampleRate: Int) throws {
    let ticks = sampleRate == 8_000 ? 24 : 9
    let random = try RandomGraph(seed: seed, nodeCount: 4 + seed / 2, sampleRate: sampleRate, ticks: ticks)
    try render(random.graph, ticks: ticks)
    for (_, sink, expected) in random.sinks {
      #expect(sink.channels == expected, "seed \(seed)")
    }
  }

  private func chain(inPlace: Bool) throws -> Graph {
    let graph = try Graph(sampleRate: 48_000)
    var last = try graph.add(SignalSource(constant: 1), named: "voice")
    for index in 0..<10 {
      let next = try graph.add(LinearNode(gain: 1, inPlace: inPlace), named: "gain \(index)")
      try graph.connect(last, to: next)
      last = next
    }
    try graph.connect(last, to: graph.add(RecordingSink(), named: "file"))
    return graph
  }
}
