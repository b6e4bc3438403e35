import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct GraphTests {
  private let graph = try! Graph(sampleRate: 48_000)

  @Test("a rate that no graph can run at is refused", arguments: [0, -48_000, 7_999, 192_001])
  func sampleRate(rate: Int) {
    #expect(throws: AudioFormatError.sampleRate(rate)) { _ = try Graph(sampleRate: rate) }
  }

  @Test("nodes and connections are listed in the order of creation, with names")
  func lists() throws {
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let sink = try graph.add(RecordingSink(), named: "file")
    let connection = try graph.connect(source, to: sink)
    #expect(graph.nodes == [source, sink])
    #expect(graph.connections.map(\.id) == [connection])
    #expect(graph.connections[0].source.node == source)
    #expect(graph.connections[0].target.node == sink)
    #expect(try graph.name(of: source) == "voice")
    #expect(try graph.name(of: sink) == "file")
  }

  @Test("a node that is not or no longer in the graph is refused by every call")
  func unknownNode() throws {
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let gone = try graph.add(RecordingSink(), named: "file")
    try graph.remove(gone)
    #expect(throws: GraphError.unknownNode) { try graph.remove(gone) }
    #expect(throws: GraphError.unknownNode) { try graph.connect(source, to: gone) }
    #expect(throws: GraphError.unknownNode) { try graph.connect(gone, to: source) }
    #expect(throws: GraphError.unknownNode) { try graph.name(of: gone) }
    #expect(GraphError.unknownNode.description.contains("not in this graph"))
  }

  @Test("a connection that went with its node cannot be removed again")
  func unknownConnection() throws {
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let sink = try graph.add(RecordingSink(), named: "file")
    let connection = try graph.connect(source, to: sink)
    try graph.remove(sink)
    #expect(graph.connections.isEmpty)
    #expect(throws: GraphError.unknownConnection) { try graph.disconnect(connection) }
    #expect(GraphError.unknownConnection.description.contains("connection"))
  }

  @Test("two nodes cannot have one name")
  func duplicateName() throws {
    _ = try graph.add(SignalSource(constant: 0), named: "voice")
    let error = #expect(throws: GraphError.duplicateName("voice")) {
      _ = try graph.add(RecordingSink(), named: "voice")
    }
    #expect(error?.description.contains("'voice'") == true)
  }

  @Test("one node cannot be added to the graph twice")
  func duplicateNode() throws {
    let source = SignalSource(constant: 0)
    let id = try graph.add(source, named: "voice")
    let error = #expect(throws: GraphError.duplicateNode(name: "again", existing: "voice")) {
      _ = try graph.add(source, named: "again")
    }
    #expect(error?.description.contains("'again'") == true)
    #expect(error?.description.contains("'voice'") == true)
    try graph.remove(id)
    #expect(try graph.add(source, named: "again") != id)
  }

  @Test("a port that a node does not have is refused, with the node's name")
  func noSuchPort() throws {
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let sink = try graph.add(RecordingSink(), named: "file")
    #expect(throws: GraphError.noSuchPort(node: "voice", port: 1)) { try graph.connect(source, output: 1, to: sink) }
    #expect(throws: GraphError.noSuchPort(node: "file", port: 0)) { try graph.connect(sink, to: sink) }
    let error = #expect(throws: GraphError.noSuchPort(node: "file", port: -1)) {
      try graph.connect(source, to: sink, input: -1)
    }
    #expect(error?.description == "'file' has no port -1")
  }

  @Test("a port for one connection takes no second")
  func portOccupied() throws {
    let first = try graph.add(SignalSource(constant: 0), named: "voice")
    let second = try graph.add(SignalSource(constant: 0), named: "music")
    let sink = try graph.add(RecordingSink(), named: "file")
    let connection = try graph.connect(first, to: sink)
    let error = #expect(throws: GraphError.portOccupied(node: "file", port: "in")) {
      try graph.connect(second, to: sink)
    }
    #expect(error?.description.contains("'in' of 'file'") == true)
    try graph.disconnect(connection)
    try graph.connect(second, to: sink)
  }

  @Test("channel counts that do not fit are refused with names and counts")
  func formatMismatch() throws {
    let stereo = try graph.add(SignalSource(constant: 0, channelCount: 2), named: "music")
    let mono = try graph.add(RecordingSink(), named: "file")
    let error = #expect(throws: GraphError.formatMismatch(from: "music", channels: 2, to: "file", accepts: 1...1)) {
      try graph.connect(stereo, to: mono)
    }
    #expect(error?.description == "'music' gives 2 channels but 'file' accepts 1")
    let wide = try graph.add(SignalSource(constant: 0, channelCount: 3), named: "wide")
    let mixer = try graph.add(MixerNode(channelCount: 2), named: "mix")
    let range = #expect(throws: GraphError.self) { try graph.connect(wide, to: mixer) }
    #expect(range?.description == "'wide' gives 3 channels but 'mix' accepts 1 to 2")
  }

  @Test("an input or an output without a connection is named at compilation")
  func unconnected() throws {
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let output = #expect(throws: GraphError.unconnected(node: "voice", port: "out")) { _ = try graph.compile() }
    #expect(output?.description == "port 'out' of 'voice' is not connected")
    let sink = try graph.add(RecordingSink(), named: "file")
    let other = try graph.add(RecordingSink(), named: "other")
    try graph.connect(source, to: sink)
    #expect(throws: GraphError.unconnected(node: "other", port: "in")) { _ = try graph.compile() }
    try graph.connect(source, to: other)
    #expect(try graph.compile().stepCount == 3)
  }

  @Test("nodes that form a loop are named in order")
  func cycle() throws {
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let mixer = try graph.add(MixerNode(channelCount: 1), named: "mix")
    let first = try graph.add(LinearNode(gain: 1), named: "first")
    let second = try graph.add(DelayNode(samples: 5, channelCount: 1, sampleRate: 48_000), named: "second")
    let sink = try graph.add(RecordingSink(), named: "file")
    try graph.connect(source, to: mixer)
    try graph.connect(mixer, to: first)
    try graph.connect(first, to: second)
    try graph.connect(first, to: sink)
    try graph.connect(second, to: mixer)
    let error = #expect(throws: GraphError.self) { _ = try graph.compile() }
    guard case .cycle(let names) = error else {
      Issue.record("expected a cycle, got \(String(describing: error))")
      return
    }
    #expect(names.first == names.last)
    // The loop is mix -> first -> second -> mix, wherever the list begins.
    let next = ["mix": "first", "first": "second", "second": "mix"]
    #expect(names.count == 4)
    #expect(zip(names, names.dropFirst()).allSatisfy { next[$0] == $1 })
    #expect(error?.description == "the nodes form a loop: \(names.joined(separator: " -> "))")
  }

  @Test("a node that feeds itself is a loop of one")
  func selfLoop() throws {
    let node = try graph.add(LinearNode(gain: 1), named: "echo")
    try graph.connect(node, to: node)
    #expect(throws: GraphError.cycle(["echo", "echo"])) { _ = try graph.compile() }
  }

  @Test("a negative latency is refused, with the node's name")
  func negativeLatency() throws {
    let node = LinearNode(gains: [[1]], channelCounts: 1...1, outputChannelCount: 1, latency: -3)
    let error = #expect(throws: GraphError.negativeLatency(node: "early", samples: -3)) {
      _ = try graph.add(node, named: "early")
    }
    #expect(error?.description.contains("'early' declares a latency of -3") == true)
  }

  @Test("a graph that does not compile can be mended")
  func mended() throws {
    let source = try graph.add(SignalSource(constant: 0.5), named: "voice")
    let sink = RecordingSink()
    #expect(throws: GraphError.self) { _ = try graph.compile() }
    try graph.connect(source, to: graph.add(sink, named: "file"))
    try render(graph, ticks: 1)
    #expect(sink.samples == Array(repeating: 0.5, count: 480))
  }
}
