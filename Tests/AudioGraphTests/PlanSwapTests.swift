import AudioGraph
import TestSupport
import Testing

/// What is heard while one plan takes over from another.
@Suite(.timeLimit(.minutes(10))) struct PlanSwapTests {
  @Test("a new source fades in over one frame and leaves the others as they are", arguments: [0, 1, 9])
  func addSource(others: Int) throws {
    let rig = try Rig()
    for index in 0..<others { try rig.chain("other \(index)", SignalSource { Float(($1 * 7) % 64) / 64 }) }
    let base: (Int) -> Float = { Float(others) * Float(($0 * 7) % 64) / 64 }
    #expect(try rig.play(ticks: 2) == (0..<960).map(base))
    try rig.chain("new", SignalSource(constant: 0.5))
    let heard = try rig.play(ticks: 2)
    let expected = (0..<960).map { base($0 + 960) + 0.5 * min(1, fadeIn($0)) }
    #expect(largestDifference(heard, expected) <= 4e-6)
    // After the fade nothing of it is left.
    #expect(Array(heard[480...]) == Array(expected[480...]))
  }

  @Test("removing a source fades it out over one frame", arguments: [0, 1, 9])
  func removeSource(others: Int) throws {
    let rig = try Rig()
    for index in 0..<others { try rig.chain("other \(index)", SignalSource(constant: 0.25)) }
    let leaving = try rig.chain("leaving", SignalSource { Float($1 % 100) / 100 })
    _ = try rig.play(ticks: 2)
    try rig.graph.remove(leaving[0])
    let heard = try rig.play(ticks: 2)
    let expected = (0..<960).map { index in
      0.25 * Float(others) + Float((index + 960) % 100) / 100 * max(0, 1 - fadeIn(index))
    }
    #expect(largestDifference(heard, expected) <= 4e-6)
    #expect(Array(heard[480...]) == [Float](repeating: 0.25 * Float(others), count: 480))
  }

  @Test("a second connection of a source is faded in and out like the first")
  func sameSourceTwice() throws {
    let rig = try Rig()
    let source = try rig.chain("voice", SignalSource(constant: 0.5))[0]
    _ = try rig.play(ticks: 2)
    let second = try rig.graph.connect(source, to: rig.mixer)
    let louder = try rig.play(ticks: 2)
    let rising = (0..<960).map { 0.5 + 0.5 * min(1, fadeIn($0)) }
    #expect(largestDifference(louder, rising) <= 1e-6)
    try rig.graph.disconnect(second)
    let softer = try rig.play(ticks: 2)
    let falling = (0..<960).map { 1 - 0.5 * min(1, fadeIn($0)) }
    #expect(largestDifference(softer, falling) <= 1e-6)
  }

  @Test("a connection that is remade between the same ends changes nothing")
  func reconnected() throws {
    let rig = try Rig()
    let source = try rig.chain("voice", SignalSource { Float($1) })[0]
    _ = try rig.play(ticks: 1)
    try rig.graph.disconnect(rig.connection(from: source))
    try rig.graph.connect(source, to: rig.mixer)
    #expect(try rig.play(ticks: 2) == (480..<1_440).map { Float($0) })
  }

  @Test("an edit leaves every path that it does not concern bit-identical", .shows("G3"))
  func editElsewhere() throws {
    let signal: @Sendable (Int, Int) -> Float = {
      Float(bitPattern: 0x3E80_0000 &+ UInt32($1 % 8_191) * 977) * ($1 % 2 == 0 ? 1 : -1)
    }
    let graph = try Graph(sampleRate: 48_000)
    let shared = try graph.add(SignalSource(signal), named: "shared")
    let delay = try graph.add(DelayNode(samples: 100, channelCount: 1, sampleRate: 48_000), named: "delay")
    let gain = try graph.add(LinearNode(gain: 0.5), named: "gain")
    let heard = RecordingSink()
    let other = try graph.add(MixerNode(channelCount: 1), named: "other mixer")
    try graph.connect(shared, to: delay)
    try graph.connect(delay, to: gain)
    try graph.connect(gain, to: graph.add(heard, named: "heard"))
    try graph.connect(shared, to: other)
    try graph.connect(other, to: graph.add(RecordingSink(), named: "other"))
    let runner = GraphRunner(sampleRate: 48_000)
    var ticks = 0
    func play() throws {
      try runner.install(graph)
      runner.run(ticks: 4)
      ticks += 4
    }
    try play()
    // New branches from the shared source and elsewhere, longer delays, and all of it gone again.
    var added: [NodeID] = []
    for step in 0..<4 {
      let branch = try graph.add(
        DelayNode(samples: 700 * step, channelCount: 1, sampleRate: 48_000), named: "branch \(step)")
      try graph.connect(shared, to: branch)
      try graph.connect(branch, to: other)
      let source = try graph.add(SignalSource(constant: 1), named: "source \(step)")
      try graph.connect(source, to: other)
      added += [branch, source]
      try play()
    }
    for node in added {
      try graph.remove(node)
      try play()
    }
    let expected = (0..<ticks * 480).map { $0 < 100 ? 0 : (0.5 * signal(0, $0 - 100)).bitPattern }
    #expect(heard.samples.map(\.bitPattern) == expected)
  }

  @Test("replacing a node in a chain crossfades over one frame")
  func replaceNode() throws {
    let rig = try Rig()
    let ids = try rig.chain("voice", SignalSource { Float($1 % 480) + 1 }, LinearNode(gain: 1))
    _ = try rig.play(ticks: 2)
    try rig.graph.remove(ids[1])
    let quieter = try rig.graph.add(LinearNode(gain: 0.5), named: "quieter")
    try rig.graph.connect(ids[0], to: quieter)
    try rig.graph.connect(quieter, to: rig.mixer)
    let heard = try rig.play(ticks: 2)
    let expected = (0..<960).map { Float($0 % 480 + 1) * (1 - 0.5 * min(1, fadeIn($0))) }
    #expect(largestDifference(heard, expected) <= 480 * 3e-7)
  }

  @Test(
    "a replaced path to a single port is crossfaded in every channel",
    arguments: [1, 2, 5], [false, true])
  func replaceBeforeSinglePort(channelCount: Int, portTakesOtherCounts: Bool) throws {
    let signal: @Sendable (Int, Int) -> Float = { Float($1 % 61) - 30 + Float($0) }
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource(channelCount: channelCount, signal), named: "voice")
    let before = try graph.add(LinearNode(gain: 1, channelCount: channelCount), named: "before")
    let after = try graph.add(
      LinearNode(
        gains: [[2]], channelCounts: portTakesOtherCounts ? 1...8 : channelCount...channelCount,
        outputChannelCount: channelCount), named: "after")
    let sink = RecordingSink(channelCount: channelCount)
    try graph.connect(source, to: before)
    try graph.connect(before, to: after)
    try graph.connect(after, to: graph.add(sink, named: "sink"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    runner.run(ticks: 1)
    try graph.remove(before)
    let replacement = try graph.add(LinearNode(gain: 0.5, channelCount: channelCount), named: "replacement")
    try graph.connect(source, to: replacement)
    try graph.connect(replacement, to: after)
    try runner.install(graph)
    runner.run(ticks: 2)
    for channel in 0..<channelCount {
      let expected = (0..<1_440).map { index in
        2 * signal(channel, index) * (1 - 0.5 * min(1, max(0, fadeIn(index - 480))))
      }
      #expect(largestDifference(sink.channels[channel], expected) <= 6e-5)
    }
  }

  @Test(
    "a path that changes between mono and stereo fades in both channels", arguments: [false, true])
  func channelCountChanges(becomesStereo: Bool) throws {
    let graph = try Graph(sampleRate: 48_000)
    let mono = try graph.add(SignalSource(constant: 0.25), named: "mono")
    let stereo = try graph.add(SignalSource(channelCount: 2) { channel, _ in channel == 0 ? 0.5 : 1 }, named: "stereo")
    let gain = try graph.add(
      LinearNode(gains: [[1]], channelCounts: 1...2, outputChannelCount: 2), named: "gain")
    let sink = RecordingSink(channelCount: 2)
    try graph.connect(gain, to: graph.add(sink, named: "sink"))
    let parking = try graph.add(MixerNode(channelCount: 2), named: "parking")
    try graph.connect(parking, to: graph.add(RecordingSink(channelCount: 2), named: "parked"))
    try graph.connect(mono, to: parking)
    try graph.connect(stereo, to: parking)
    let before = try graph.connect(becomesStereo ? mono : stereo, to: gain)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    runner.run(ticks: 1)
    try graph.disconnect(before)
    try graph.connect(becomesStereo ? stereo : mono, to: gain)
    try runner.install(graph)
    runner.run(ticks: 2)
    for (channel, level) in [Float(0.5), 1].enumerated() {
      let expected = (0..<1_440).map { index in
        let new = min(1, max(0, fadeIn(index - 480)))
        return 0.25 + (level - 0.25) * (becomesStereo ? new : 1 - new)
      }
      #expect(largestDifference(sink.channels[channel], expected) <= 1e-6)
    }
  }

  @Test("an equal replacement changes no bit, signs of zeros included")
  func equalReplacement() throws {
    let signal: @Sendable (Int, Int) -> Float = { $1 % 5 == 0 ? -0.0 : Float($1 % 11) * 0.1 - 0.5 }
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource(signal), named: "voice")
    // A delay of nothing copies bits.
    func copy() -> DelayNode { DelayNode(samples: 0, channelCount: 1, sampleRate: 48_000) }
    var node = try graph.add(copy(), named: "0")
    let sink = RecordingSink()
    let end = try graph.add(sink, named: "sink")
    try graph.connect(source, to: node)
    try graph.connect(node, to: end)
    let runner = GraphRunner(sampleRate: 48_000)
    for step in 1...4 {
      try runner.install(graph)
      runner.run(ticks: 2)
      try graph.remove(node)
      node = try graph.add(copy(), named: "\(step)")
      try graph.connect(source, to: node)
      try graph.connect(node, to: end)
    }
    let expected = (0..<3_840).map { signal(0, $0).bitPattern }
    #expect(sink.samples.map(\.bitPattern) == expected)
  }
}
