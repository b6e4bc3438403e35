import AudioGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MixerNodeTests {
  private static let layouts: [(output: Int, inputs: [Int])] = [
    (1, [1]), (2, [1]), (2, [2]), (2, [1, 2]), (3, [1, 3]), (3, [3]), (5, [5]), (5, [1, 5, 2]), (8, [8, 1]),
  ]

  @Test("any number of sources gives their sum to within rounding", arguments: 1...20, layouts.indices)
  func sums(count: Int, layout: Int) throws {
    let layout = Self.layouts[layout]
    var generator = SeededGenerator(seed: UInt64(100 * count + layout.output))
    let inputs = (0..<count).map { index in
      // A channel count between mono and the mixer's own has no meaning in a mixer.
      let fitting = layout.inputs.filter { $0 == 1 || $0 == layout.output }
      return (0..<fitting[index % fitting.count]).map { _ in
        (0..<960).map { _ in Float.random(in: -1...1, using: &generator) }
      }
    }
    let heard = try mix(
      inputs.map { samples in SignalSource(channelCount: samples.count) { samples[$0][$1] } },
      channelCount: layout.output)
    for channel in 0..<layout.output {
      for index in 0..<960 {
        let sum = inputs.reduce(0.0) { $0 + Double($1[min(channel, $1.count - 1)][index]) }
        // Each of `count` additions rounds a partial sum that is at most `count`.
        let bound = Double(count * count) * 0x1p-24
        #expect(abs(Double(heard.channels[channel][index]) - sum) <= bound)
      }
    }
  }

  @Test("one source passes unchanged, negative zeros and subnormals included", arguments: [1, 2, 3, 5])
  func oneSource(channelCount: Int) throws {
    let special: [Float] = [
      0, -0.0, 1, -1, 0x1p-149, -0x1p-149, 0x1p-127, .greatestFiniteMagnitude, 0x1.8p-130, -32_768,
    ]
    let signal: @Sendable (Int, Int) -> Float = { special[($0 + $1) % special.count] }
    let heard = try mix([SignalSource(channelCount: channelCount, signal)], channelCount: channelCount)
    for channel in 0..<channelCount {
      let expected = (0..<960).map { signal(channel, $0).bitPattern }
      #expect(heard.channels[channel].map(\.bitPattern) == expected)
    }
  }

  @Test("silent sources change nothing, wherever they stand", arguments: [0, 1, 7, 8, 9, 15])
  func silentSources(position: Int) throws {
    var sources: [SignalSource] = (0..<16).map { _ in SignalSource(silentChannelCount: 1) }
    let signal: @Sendable (Int, Int) -> Float = { $1 % 2 == 0 ? -0.0 : Float($1) }
    sources[position] = SignalSource(signal)
    let heard = try mix(sources, channelCount: 2)
    for channel in heard.channels {
      #expect(channel.map(\.bitPattern) == (0..<960).map { signal(0, $0).bitPattern })
    }
    #expect(heard.headers.map(\.isSilent) == [false, false])
  }

  @Test("no source, or silent ones only, give silence that says so", arguments: [0, 1, 9])
  func silence(count: Int) throws {
    let heard = try mix((0..<count).map { _ in SignalSource(silentChannelCount: 2) }, channelCount: 2)
    #expect(heard.channels == Array(repeating: Array(repeating: 0, count: 960), count: 2))
    #expect(heard.headers.map(\.isSilent) == [true, true])
    #expect(heard.headers.map(\.provenance) == [.silence, .silence])
    #expect(heard.headers.map(\.samplePosition) == [0, 480])
  }

  @Test("a mix's header names no source, and its position is the graph's")
  func header() throws {
    let graph = try Graph(sampleRate: 48_000)
    let mixer = try graph.add(MixerNode(channelCount: 1), named: "mix")
    for (index, samples) in [0, 25].enumerated() {
      let source = try graph.add(SignalSource(constant: 1), named: "voice \(index)")
      let delay = try graph.add(
        DelayNode(samples: samples, channelCount: 1, sampleRate: 48_000), named: "delay \(index)")
      try graph.connect(source, to: delay)
      try graph.connect(delay, to: mixer)
    }
    let sink = RecordingSink()
    try graph.connect(mixer, to: graph.add(sink, named: "file"))
    try render(graph, ticks: 2)
    #expect(sink.headers.map(\.sourceID) == [0, 0])
    #expect(sink.headers.map(\.rtpTimestamp) == [nil, nil])
    #expect(sink.headers.map(\.samplePosition) == [-25, 455])
  }

  @Test("a source with the mixer's channel count or one channel is accepted", arguments: 1...8)
  func channelCounts(mixerChannels: Int) throws {
    for channels in 1...8 {
      let graph = try Graph(sampleRate: 48_000)
      let source = try graph.add(SignalSource(constant: 0, channelCount: channels), named: "voice")
      let mixer = try graph.add(MixerNode(channelCount: mixerChannels), named: "mix")
      if channels == 1 || channels == mixerChannels {
        try graph.connect(source, to: mixer)
      } else {
        #expect(throws: GraphError.self) { try graph.connect(source, to: mixer) }
      }
    }
  }

  private func mix(_ sources: [SignalSource], channelCount: Int) throws -> RecordingSink {
    let graph = try Graph(sampleRate: 48_000)
    let mixer = try graph.add(MixerNode(channelCount: channelCount), named: "mix")
    for (index, source) in sources.enumerated() {
      try graph.connect(graph.add(source, named: "source \(index)"), to: mixer)
    }
    let sink = RecordingSink(channelCount: channelCount)
    try graph.connect(mixer, to: graph.add(sink, named: "file"))
    try render(graph, ticks: 2)
    return sink
  }
}
