import AudioGraph
import TestSupport

/// A graph drawn from a seed, with what each of its sinks must hear according to a reference that gives every
/// output an array of its own and knows nothing about plans.
struct RandomGraph {
  let graph: Graph
  /// Every sink with the samples expected of it, by channel.
  private(set) var sinks: [(id: NodeID, sink: RecordingSink, expected: [[Float]])] = []
  private var generator: SeededGenerator
  private var open: [Output] = []
  private let sampleCount: Int
  private var nextName = 0

  private struct Output {
    let node: NodeID
    let port: Int
    let delay: Int
    let channels: [[Float]]
    var isRead = false
  }

  init(seed: Int, nodeCount: Int, sampleRate: Int, ticks: Int) throws {
    graph = try Graph(sampleRate: sampleRate)
    generator = SeededGenerator(seed: UInt64(seed))
    sampleCount = FrameSchedule(sampleRate: sampleRate).position(ofFrame: ticks)
    try addSource()
    for _ in 1..<max(2, nodeCount) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0, 1: try addSource()
      case 2, 3: try addMixer()
      case 4: try addDelay()
      case 5: try addSink(Int.random(in: open.indices, using: &generator))
      default: try addLinear()
      }
    }
    for index in open.indices where !open[index].isRead { try addSink(index) }
  }

  private mutating func name(_ kind: String) -> String {
    nextName += 1
    return "\(kind) \(nextName)"
  }

  private mutating func addSource() throws {
    let channelCount = Int.random(in: 1...2, using: &generator)
    let samples = (0..<channelCount).map { _ in
      (0..<sampleCount).map { _ in Float.random(in: -1...1, using: &generator) }
    }
    let source = SignalSource(channelCount: channelCount) { samples[$0][$1] }
    let id = try graph.add(source, named: name("source"))
    open.append(Output(node: id, port: 0, delay: 0, channels: samples))
  }

  /// Draws `count` outputs with one of the channel counts and aligns what they play with the latest of them.
  private mutating func inputs(_ count: Int, channelCounts: ClosedRange<Int>) -> (
    indices: [Int], delay: Int, [[[Float]]]
  ) {
    let fitting = open.indices.filter { channelCounts.contains(open[$0].channels.count) }
    guard !fitting.isEmpty else { return ([], 0, []) }
    let indices = (0..<count).map { _ in
      // Mostly the newest, so that chains grow.
      Bool.random(using: &generator) ? fitting.last! : fitting.randomElement(using: &generator)!
    }
    let delay = indices.map { open[$0].delay }.max() ?? 0
    return (
      indices, delay,
      indices.map { index in open[index].channels.map { Self.delayed($0, by: delay - open[index].delay) } }
    )
  }

  private static func delayed(_ samples: [Float], by count: Int) -> [Float] {
    Array((Array(repeating: 0, count: count) + samples).prefix(samples.count))
  }

  private mutating func connect(_ indices: [Int], to node: NodeID, onePort: Bool) throws {
    for (input, index) in indices.enumerated() {
      try graph.connect(open[index].node, output: open[index].port, to: node, input: onePort ? 0 : input)
      open[index].isRead = true
    }
  }

  private mutating func addLinear() throws {
    let channelCount = Int.random(in: 1...2, using: &generator)
    let wanted = Int.random(in: 1...3, using: &generator)
    let (indices, delay, signals) = inputs(wanted, channelCounts: channelCount...channelCount)
    guard !indices.isEmpty else { return }
    let gains = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      indices.map { _ in Float.random(in: -0.9...0.9, using: &generator) }
    }
    let node = LinearNode(
      gains: gains, channelCounts: channelCount...channelCount, outputChannelCount: channelCount,
      inPlace: Int.random(in: 0..<4, using: &generator) > 0)
    let id = try graph.add(node, named: name("linear"))
    try connect(indices, to: id, onePort: false)
    for (port, row) in gains.enumerated() {
      let channels = (0..<channelCount).map { channel in
        (0..<sampleCount).map { index in LinearNode.apply(row, signals.map { $0[channel][index] }) }
      }
      open.append(Output(node: id, port: port, delay: delay, channels: channels))
    }
  }

  private mutating func addMixer() throws {
    let channelCount = Int.random(in: 1...2, using: &generator)
    let wanted = Int.random(in: 1...8, using: &generator)
    let (indices, delay, signals) = inputs(wanted, channelCounts: 1...channelCount)
    guard !indices.isEmpty else { return }
    let id = try graph.add(MixerNode(channelCount: channelCount), named: name("mixer"))
    try connect(indices, to: id, onePort: true)
    let channels: [[Float]] = (0..<channelCount).map { channel in
      var sum = signals[0][min(channel, signals[0].count - 1)]
      for signal in signals.dropFirst() {
        let added = signal[min(channel, signal.count - 1)]
        for index in sum.indices { sum[index] += added[index] }
      }
      return sum
    }
    open.append(Output(node: id, port: 0, delay: delay, channels: channels))
  }

  private mutating func addDelay() throws {
    let index = Int.random(in: open.indices, using: &generator)
    let samples = Int.random(in: 0...1_200, using: &generator)
    let channels = open[index].channels
    let node = DelayNode(samples: samples, channelCount: channels.count, sampleRate: graph.sampleRate)
    let id = try graph.add(node, named: name("delay"))
    try connect([index], to: id, onePort: true)
    open.append(
      Output(
        node: id, port: 0, delay: open[index].delay + samples, channels: channels.map { Self.delayed($0, by: samples) })
    )
  }

  private mutating func addSink(_ index: Int) throws {
    let sink = RecordingSink(channelCount: open[index].channels.count)
    let id = try graph.add(sink, named: name("sink"))
    try connect([index], to: id, onePort: true)
    sinks.append((id, sink, open[index].channels))
  }
}
