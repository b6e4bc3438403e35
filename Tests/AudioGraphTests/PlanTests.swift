import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct PlanTests {
  @Test(
    "two paths of unequal latency meet sample-exactly", arguments: [0, 1, 100, 479, 480, 481, 2_000],
    [8_000, 22_050, 48_000])
  func aligned(latency: Int, sampleRate: Int) throws {
    let graph = try Graph(sampleRate: sampleRate)
    let source = try graph.add(SignalSource(impulseAt: 33), named: "voice")
    let delay = try graph.add(
      DelayNode(samples: latency, channelCount: 1, sampleRate: sampleRate), named: "look-ahead")
    let mixer = try graph.add(MixerNode(channelCount: 1), named: "mix")
    let sink = RecordingSink()
    let end = try graph.add(sink, named: "file")
    try graph.connect(source, to: delay)
    try graph.connect(source, to: mixer)
    try graph.connect(delay, to: mixer)
    try graph.connect(mixer, to: end)
    try render(graph, ticks: 30)
    #expect(sink.samples.indices.filter { sink.samples[$0] != 0 } == [33 + latency])
    #expect(sink.samples[33 + latency] == 2)
    let plan = try graph.compile()
    #expect(plan.latency(of: end) == latency)
    #expect(plan.latency(of: mixer) == latency)
    #expect(plan.latency(of: source) == 0)
    // The line that aligns is a step of its own, where there is something to align.
    #expect(plan.stepCount == (latency > 0 ? 5 : 4))
  }

  @Test("inputs of different ports are aligned, also from one output")
  func alignedPorts() throws {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource(impulseAt: 5), named: "voice")
    let sum = try graph.add(
      LinearNode(gains: [[1, 10, 100, 1_000]], channelCounts: 1...1, outputChannelCount: 1), named: "sum")
    for (input, latency) in [700, 0, 3, 480].enumerated() {
      let delay = try graph.add(
        DelayNode(samples: latency, channelCount: 1, sampleRate: 48_000), named: "delay \(latency)")
      try graph.connect(source, to: delay)
      try graph.connect(delay, to: sum, input: input)
    }
    let sink = RecordingSink()
    try graph.connect(sum, to: graph.add(sink, named: "file"))
    try render(graph, ticks: 3)
    #expect(sink.samples.indices.filter { sink.samples[$0] != 0 } == [705])
    #expect(sink.samples[705] == 1_111)
  }

  @Test("a delay node and a mixer declare the latency of an impulse", arguments: [0, 1, 481])
  func nodeLatencies(delay: Int) throws {
    for (name, node) in [
      ("delay", DelayNode(samples: delay, channelCount: 1, sampleRate: 48_000) as any AudioNode),
      ("mixer", MixerNode(channelCount: 1)),
    ] {
      let input = FrameRing(capacity: 8, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
      let output = FrameRing(capacity: 8, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
      let graph = try Graph(sampleRate: 48_000)
      let source = FrameSourceNode(reading: input.takeConsumer(), channelCount: 1)
      let first = try graph.add(source, named: "source")
      let tested = try graph.add(node, named: name)
      let last = try graph.add(FrameSinkNode(writing: output.takeProducer(), channelCount: 1), named: "sink")
      try graph.connect(first, to: tested)
      try graph.connect(tested, to: last)
      var producer = input.takeProducer()
      for frame in 0..<4 {
        let slot = producer.reserve()
        let view = try #require(slot).pointee
        view.header.pointee = FrameHeader(samplePosition: 480 * frame, samplesPerChannel: 480)
        view.silence()
        view.header.pointee.isSilent = false
        if frame == 0 { view.channel(0)[7] = 1 }
        producer.commit(1)
      }
      try render(graph, ticks: 4)
      var consumer = output.takeConsumer()
      var heard: [Float] = []
      var positions: [Int] = []
      while let frame = consumer.peek()?.pointee {
        heard += UnsafeBufferPointer(start: frame.channel(0), count: frame.samplesPerChannel)
        positions.append(frame.header.pointee.samplePosition)
        consumer.release(1)
      }
      let latency = try #require(try graph.compile().latency(of: last))
      #expect(latency == node.latency)
      #expect(heard.indices.filter { heard[$0] != 0 } == [7 + latency], "\(name)")
      #expect(positions == (0..<4).map { 480 * $0 - latency }, "\(name)")
    }
  }

  @Test("a random graph's declared latency agrees with its headers", arguments: 0..<40)
  func graphLatencies(seed: Int) throws {
    let random = try RandomGraph(seed: seed, nodeCount: 25, sampleRate: 16_000, ticks: 3)
    let plan = try random.graph.compile()
    try render(random.graph, ticks: 3)
    for (id, sink, _) in random.sinks {
      let latency = try #require(plan.latency(of: id))
      #expect(sink.headers.map(\.samplePosition) == (0..<3).map { 160 * $0 - latency }, "seed \(seed)")
    }
  }

  @Test("a node that is not in the plan has no latency there")
  func unknownNode() throws {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource(constant: 0), named: "voice")
    let sink = try graph.add(RecordingSink(), named: "file")
    try graph.connect(source, to: sink)
    let plan = try graph.compile()
    let later = try graph.add(RecordingSink(), named: "later")
    #expect(plan.latency(of: later) == nil)
  }

  @Test("every output continues the first input's header, less the latency once")
  func headers() throws {
    for inPlace in [false, true] {
      let graph = try Graph(sampleRate: 48_000)
      let source = try graph.add(SignalSource(constant: 1), named: "voice")
      let split = try graph.add(
        LinearNode(gains: [[1], [2], [3]], channelCounts: 1...1, outputChannelCount: 1, inPlace: inPlace, latency: 10),
        named: "split")
      try graph.connect(source, to: split)
      let sinks = [RecordingSink(), RecordingSink(), RecordingSink()]
      for (port, sink) in sinks.enumerated() {
        try graph.connect(split, output: port, to: graph.add(sink, named: "file \(port)"))
      }
      try render(graph, ticks: 2)
      for sink in sinks {
        #expect(sink.headers.map(\.samplePosition) == [-10, 470], "in place: \(inPlace)")
        #expect(sink.headers.map(\.sequenceNumber) == [0, 1])
        #expect(sink.headers.map(\.captureTimeNanoseconds) == [0, 10_000_000])
      }
    }
  }

  @Test("an optional input without a connection is silence of the tick's length", arguments: [11_025, 22_050, 48_000])
  func optionalInput(sampleRate: Int) throws {
    let graph = try Graph(sampleRate: sampleRate)
    let look = OptionalInputNode()
    let sink = RecordingSink()
    try graph.connect(graph.add(look, named: "look"), to: graph.add(sink, named: "file"))
    try render(graph, ticks: 9)
    let schedule = FrameSchedule(sampleRate: sampleRate)
    // The node gives its input's length as samples.
    let lengths = (0..<9).map { Int(sink.samples[schedule.position(ofFrame: $0)]) }
    #expect(lengths == (0..<9).map { schedule.samplesPerChannel(ofFrame: $0) })
    #expect(sink.headers.map(\.samplePosition) == (0..<9).map { schedule.position(ofFrame: $0) })
    #expect(sink.headers.map(\.sequenceNumber) == Array(0..<9))
  }

  @Test("every frame has the tick's length at every rate", arguments: [8_000, 11_025, 22_050, 44_100, 48_000])
  func frameLengths(sampleRate: Int) throws {
    let graph = try Graph(sampleRate: sampleRate)
    let source = try graph.add(SignalSource { Float($1 + 1) }, named: "voice")
    let delay = try graph.add(DelayNode(samples: 77, channelCount: 1, sampleRate: sampleRate), named: "delay")
    let mixer = try graph.add(MixerNode(channelCount: 1), named: "mix")
    let sink = RecordingSink()
    try graph.connect(source, to: delay)
    try graph.connect(delay, to: mixer)
    try graph.connect(mixer, to: graph.add(sink, named: "file"))
    try render(graph, ticks: 100)
    let schedule = FrameSchedule(sampleRate: sampleRate)
    #expect(sink.headers.map(\.samplesPerChannel) == (0..<100).map { schedule.samplesPerChannel(ofFrame: $0) })
    let delayed: [Float] = (0..<sampleRate).map { Float(max(0, $0 - 76)) }
    #expect(sink.samples == delayed)
  }
}
