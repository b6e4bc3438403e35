import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct GraphRunnerTests {
  @Test("a runner without a plan only counts")
  func noPlan() {
    let runner = GraphRunner(sampleRate: 48_000)
    #expect(runner.plan == nil)
    runner.run(ticks: 3)
    #expect(runner.tickCount == 3)
    #expect(runner.collect() == 0)
  }

  @Test("a second install before a tick crossfades from the running plan")
  func installTwice() throws {
    let rig = try Rig()
    let first = try rig.chain("first", SignalSource(constant: 1))[0]
    _ = try rig.play(ticks: 2)
    try rig.graph.remove(first)
    let second = try rig.chain("second", SignalSource(constant: 100))[0]
    try rig.runner.install(rig.graph)
    try rig.graph.remove(second)
    try rig.chain("third", SignalSource(constant: 0.5))
    let heard = try rig.play(ticks: 2)
    let expected = heard.indices.map { 1 - 0.5 * min(1, fadeIn($0)) }
    #expect(largestDifference(heard, expected) <= 1e-6)
    #expect(rig.runner.collect() == 1)
  }

  @Test("two installs before the first tick start the second without a fade")
  func installTwiceBeforeTheFirstTick() throws {
    let rig = try Rig()
    let first = try rig.chain("first", SignalSource(constant: 1))[0]
    try rig.runner.install(rig.graph)
    try rig.graph.remove(first)
    try rig.chain("second", SignalSource(constant: 0.5))
    #expect(try rig.play(ticks: 1) == [Float](repeating: 0.5, count: 480))
    #expect(rig.runner.collect() == 1)
  }

  @Test("a waiting plan is taken while the next compiles and continues from it", arguments: [0, 1])
  func tickDuringInstall(ticksBefore: Int) throws {
    let rig = try Rig()
    if ticksBefore > 0 { _ = try rig.play(ticks: ticksBefore) }
    let first = try rig.chain("first", SignalSource(constant: 1))[0]
    try rig.runner.install(rig.graph)
    try rig.graph.remove(first)
    // Compilation asks a node for its renderer; by then the slot has been looked at.
    let node = CompilationProbe { rig.runner.run(ticks: 1) }
    try rig.chain("second", SignalSource(constant: 0.5), node)
    let heard = try rig.play(ticks: 1)
    #expect(rig.sink.samples.count == (ticksBefore + 2) * 480)
    let during = Array(rig.sink.samples[(ticksBefore * 480)...].prefix(480))
    let expected = during.indices.map { ticksBefore == 0 ? 1 : fadeIn($0) }
    #expect(largestDifference(during, expected) <= 1e-6)
    #expect(largestDifference(heard, heard.indices.map { 1 - 0.5 * fadeIn($0) }) <= 1e-6)
    #expect(rig.runner.collect() == 1)
  }

  @Test("an install during a crossfade waits until that one is finished")
  func installDuringTransition() throws {
    let rig = try Rig()
    let source = try rig.chain("voice", SignalSource(constant: 1))[0]
    _ = try rig.play(ticks: 1)
    try rig.graph.disconnect(rig.connection(from: source))
    let delay = try rig.graph.add(DelayNode(samples: 960, channelCount: 1, sampleRate: 48_000), named: "delay")
    try rig.graph.connect(source, to: delay)
    try rig.graph.connect(delay, to: rig.mixer)
    var heard = try rig.play(ticks: 1)
    try rig.chain("new", SignalSource(constant: 1))
    heard += try rig.play(ticks: 8)
    // Two frames of warm-up and one of crossfade; then the new source, which its own line delays by 960 samples.
    let expected = heard.indices.map { 1 + min(1, max(0, fadeIn($0 - 5 * 480))) }
    #expect(largestDifference(heard, expected) <= 1e-6)
  }

  @Test("a graph that does not compile leaves the running plan as it is")
  func failureKeepsRunningPlan() throws {
    let rig = try Rig()
    try rig.chain("voice", SignalSource { Float($1) })
    _ = try rig.play(ticks: 1)
    let plan = try #require(rig.runner.plan)
    _ = try rig.graph.add(RecordingSink(), named: "loose")
    #expect(throws: GraphError.unconnected(node: "loose", port: "in")) { try rig.runner.install(rig.graph) }
    #expect(rig.runner.plan === plan)
    #expect(rig.run(ticks: 2) == (480..<1_440).map { Float($0) })
    #expect(rig.runner.collect() == 1)
  }

  @Test("a graph that does not compile leaves the waiting plan as it is")
  func failureKeepsPendingPlan() throws {
    let rig = try Rig()
    try rig.chain("voice", SignalSource(constant: 1))
    _ = try rig.play(ticks: 1)
    try rig.chain("more", SignalSource(constant: 0.5))
    try rig.runner.install(rig.graph)
    let waiting = try #require(rig.runner.plan)
    let loose = try rig.graph.add(RecordingSink(), named: "loose")
    #expect(throws: GraphError.self) { try rig.runner.install(rig.graph) }
    #expect(rig.runner.plan === waiting)
    let heard = rig.run(ticks: 2)
    let expected = heard.indices.map { 1 + 0.5 * min(1, fadeIn($0)) }
    #expect(largestDifference(heard, expected) <= 1e-6)
    // And the next one leads on from it.
    try rig.graph.remove(loose)
    #expect(try rig.play(ticks: 1) == [Float](repeating: 1.5, count: 480))
    #expect(rig.runner.collect() == 1)
  }

  @Test("reordered nodes are named in the error, and can be moved in two steps")
  func reordered() throws {
    let rig = try Rig()
    let moved = LinearNode(gain: 2)
    let ids = try rig.chain("chain", SignalSource(constant: 1), moved, LinearNode(gain: 0.25))
    try rig.chain("late", SignalSource(constant: 0), DelayNode(samples: 9, channelCount: 1, sampleRate: 48_000))
    _ = try rig.play(ticks: 2)
    for id in ids { try rig.graph.disconnect(rig.connection(from: id)) }
    try rig.graph.connect(ids[0], to: ids[2])
    try rig.graph.connect(ids[2], to: ids[1])
    try rig.graph.connect(ids[1], to: rig.mixer)
    let error = #expect(throws: GraphError.self) { try rig.runner.install(rig.graph) }
    guard case .reordered(let names) = error else {
      Issue.record("expected .reordered, got \(String(describing: error))")
      return
    }
    #expect(names.sorted() == ["chain 1", "chain 2"])
    #expect(error?.description.contains("chain 1") == true)
    #expect(error?.description.contains("chain 2") == true)
    // As the error says: take one out, let a tick take that plan, put it back.
    try rig.graph.remove(ids[1])
    try rig.graph.connect(ids[2], to: rig.mixer)
    // One frame until the new delay line is filled, one of crossfade, and what of that is still in the line.
    let without = try rig.play(ticks: 3)
    #expect(without[..<480].allSatisfy { $0 == 0.5 })
    #expect(without[969...].allSatisfy { $0 == 0.25 })
    try rig.graph.disconnect(rig.connection(from: ids[2]))
    let again = try rig.graph.add(moved, named: "chain 1")
    try rig.graph.connect(ids[2], to: again)
    try rig.graph.connect(again, to: rig.mixer)
    let with = try rig.play(ticks: 3)
    #expect(with[..<480].allSatisfy { $0 == 0.25 })
    #expect(with[969...].allSatisfy { $0 == 0.5 })
  }

  @Test("the compiler's delay lines are not named among reordered nodes")
  func reorderedThroughDelays() throws {
    let graph = try Graph(sampleRate: 48_000)
    func node(_ name: String) throws -> NodeID { try graph.add(MixerNode(channelCount: 1), named: name) }
    let source = try graph.add(SignalSource(constant: 1), named: "source")
    let late = try graph.add(DelayNode(samples: 7, channelCount: 1, sampleRate: 48_000), named: "late")
    let (first, second) = (try node("first"), try node("second"))
    let end = try graph.add(MixerNode(channelCount: 1), named: "end")
    try graph.connect(source, to: late)
    for target in [first, second, end] { try graph.connect(late, to: target) }
    for target in [first, second, end] { try graph.connect(source, to: target) }
    var link = try graph.connect(first, to: second)
    try graph.connect(second, to: end)
    try graph.connect(first, to: end)
    try graph.connect(end, to: graph.add(RecordingSink(), named: "sink"))
    let plan = try graph.compile()
    try graph.disconnect(link)
    link = try graph.connect(second, to: first)
    let error = #expect(throws: GraphError.self) { _ = try graph.compile(replacing: plan) }
    guard case .reordered(let names) = error else {
      Issue.record("expected .reordered, got \(String(describing: error))")
      return
    }
    #expect(names.sorted() == ["first", "second"])
  }

  @Test("a node that is removed and put back before a tick keeps its state")
  func putBack() throws {
    let rig = try Rig()
    let voice = SignalSource { Float($1) }
    let delay = DelayNode(samples: 100, channelCount: 1, sampleRate: 48_000)
    let ids = try rig.chain("first", voice, delay)
    _ = try rig.play(ticks: 2)
    for id in ids { try rig.graph.remove(id) }
    try rig.runner.install(rig.graph)
    try rig.chain("second", voice, delay)
    #expect(try rig.play(ticks: 3) == (960..<2_400).map { Float($0 - 100) })
  }

  @Test("a removed node is freed by the first collect after the change")
  func removedNodeIsFreed() throws {
    let rig = try Rig()
    try rig.chain("stays", SignalSource(constant: 1))
    weak var weakSource: SignalSource?
    var leaving: NodeID?
    do {
      let source = SignalSource(constant: 1)
      weakSource = source
      leaving = try rig.chain("leaves", source)[0]
    }
    _ = try rig.play(ticks: 2)
    try rig.graph.remove(try #require(leaving))
    try rig.runner.install(rig.graph)
    #expect(rig.runner.collect() == 2)
    #expect(weakSource != nil)
    rig.runner.run(ticks: 1)
    #expect(rig.runner.collect() == 1)
    #expect(weakSource == nil)
    #expect(rig.run(ticks: 1) == [Float](repeating: 1, count: 480))
  }

  @Test("a runner that goes away takes its plans and nodes along", arguments: [0, 1, 3])
  func runnerIsFreed(ticks: Int) throws {
    weak var weakSource: SignalSource?
    weak var weakPlan: Plan?
    do {
      let rig = try Rig()
      let source = SignalSource(constant: 1)
      weakSource = source
      try rig.chain("voice", source)
      _ = try rig.play(ticks: ticks)
      try rig.chain("more", SignalSource(constant: 1))
      _ = try rig.play(ticks: ticks)
      weakPlan = rig.runner.plan
      #expect(weakPlan != nil)
    }
    #expect(weakSource == nil)
    #expect(weakPlan == nil)
  }

  @Test("a custom node with a port for any number sees each connection's fade")
  func customMixer() throws {
    let graph = try Graph(sampleRate: 48_000)
    let sum = try graph.add(FadingSumNode(), named: "sum")
    let sink = RecordingSink()
    try graph.connect(graph.add(SignalSource(constant: 1), named: "first"), to: sum)
    try graph.connect(sum, to: graph.add(sink, named: "sink"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    runner.run(ticks: 1)
    try graph.connect(graph.add(SignalSource(constant: 0.5), named: "second"), to: sum)
    try runner.install(graph)
    runner.run(ticks: 2)
    let expected = (0..<1_440).map { 1 + 0.5 * min(1, max(0, fadeIn($0 - 480))) }
    #expect(largestDifference(sink.samples, expected) <= 1e-6)
  }
}
