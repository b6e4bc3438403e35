import AudioGraph
import TestSupport
import Testing

/// Edits that change the delay of a path. The old and the new path then play different moments of the signal, so
/// that only a constant (or a slow signal) can show that the envelope holds.
@Suite(.timeLimit(.minutes(10))) struct PlanSwapDelayTests {
  @Test(
    "inserting a node with latency into a path lets no constant dip", .shows("G3"),
    arguments: [1, 240, 479, 480, 481, 1_000, 4_800])
  func insertLatency(latency: Int) throws {
    let rig = try Rig()
    let source = try rig.chain("voice", SignalSource(constant: 1))[0]
    _ = try rig.play(ticks: 2)
    try rig.graph.disconnect(rig.connection(from: source))
    let delay = try rig.graph.add(
      DelayNode(samples: latency, channelCount: 1, sampleRate: 48_000), named: "look-ahead")
    try rig.graph.connect(source, to: delay)
    try rig.graph.connect(delay, to: rig.mixer)
    let heard = try rig.play(ticks: latency / 480 + 4)
    #expect(heard.allSatisfy { abs($0 - 1) <= 1e-6 })
  }

  @Test(
    "a change is crossfaded over one frame once the new path is filled",
    arguments: [1, 480, 481, 1_000])
  func warmUp(latency: Int) throws {
    let rig = try Rig()
    let source = try rig.chain("voice", SignalSource(constant: 1))[0]
    _ = try rig.play(ticks: 1)
    try rig.graph.disconnect(rig.connection(from: source))
    let delay = try rig.graph.add(
      DelayNode(samples: latency, channelCount: 1, sampleRate: 48_000), named: "look-ahead")
    let gain = try rig.graph.add(LinearNode(gain: 3), named: "gain")
    try rig.graph.connect(source, to: delay)
    try rig.graph.connect(delay, to: gain)
    try rig.graph.connect(gain, to: rig.mixer)
    let warmUp = (latency + 479) / 480
    let heard = try rig.play(ticks: warmUp + 2)
    let expected = heard.indices.map { 1 + 2 * min(1, max(0, fadeIn($0 - 480 * warmUp))) }
    #expect(largestDifference(heard, expected) <= 1e-6)
  }

  @Test("a path is realigned without a dip when its neighbour gets latency", arguments: [1, 480, 700])
  func neighbours(latency: Int) throws {
    let rig = try Rig()
    let voice = try rig.chain("voice", SignalSource(constant: 0.5))[0]
    try rig.chain("music", SignalSource(constant: 0.25), DelayNode(samples: 100, channelCount: 1, sampleRate: 48_000))
    let start = try rig.play(ticks: 2)
    #expect(start[100...].allSatisfy { $0 == 0.75 })
    try rig.graph.disconnect(rig.connection(from: voice))
    let delay = try rig.graph.add(
      DelayNode(samples: latency, channelCount: 1, sampleRate: 48_000), named: "look-ahead")
    try rig.graph.connect(voice, to: delay)
    try rig.graph.connect(delay, to: rig.mixer)
    #expect(try rig.play(ticks: 6).allSatisfy { abs($0 - 0.75) <= 1e-6 })
    try rig.graph.remove(delay)
    try rig.graph.connect(voice, to: rig.mixer)
    #expect(try rig.play(ticks: 6).allSatisfy { abs($0 - 0.75) <= 1e-6 })
  }

  @Test("a delay line that two plans share keeps its contents")
  func lineSurvives() throws {
    let rig = try Rig()
    try rig.chain("voice", SignalSource { Float($1 + 1) })
    try rig.chain("late", SignalSource(constant: 0), DelayNode(samples: 600, channelCount: 1, sampleRate: 48_000))
    _ = try rig.play(ticks: 3)
    let added = try rig.chain("silence", SignalSource(constant: 0))
    let first = try rig.play(ticks: 2)
    try rig.graph.remove(added[0])
    let second = try rig.play(ticks: 2)
    let expected = (841..<2_761).map { Float($0) }
    #expect(first + second == expected)
  }

  @Test(
    "a new source behind a delay is faded in over a frame when it arrives",
    arguments: [1, 240, 480, 481, 1_000], [false, true])
  func newSourceThroughDelay(latency: Int, othersAreLate: Bool) throws {
    let rig = try Rig()
    let line = DelayNode(samples: latency, channelCount: 1, sampleRate: 48_000)
    if othersAreLate {
      // The compiler's own line aligns the new source.
      try rig.chain("late", SignalSource(constant: 0), line)
    }
    _ = try rig.play(ticks: 4)
    if othersAreLate {
      try rig.chain("new", SignalSource(constant: 1))
    } else {
      try rig.chain("new", SignalSource(constant: 1), line)
    }
    let heard = try rig.play(ticks: 6)
    let begin = (latency + 479) / 480 * 480
    let expected = heard.indices.map { min(1, max(0, fadeIn($0 - begin))) }
    #expect(largestDifference(heard, expected) <= 1e-6)
  }

  @Test("headers of a removed path continue until it is gone")
  func leavingHeaders() throws {
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(SignalSource(constant: 1), named: "voice")
    let late = try graph.add(DelayNode(samples: 50, channelCount: 1, sampleRate: 48_000), named: "late")
    let leaving = try graph.add(MixerNode(channelCount: 1), named: "leaving")
    let sink = RecordingSink()
    let end = try graph.add(sink, named: "end")
    try graph.connect(source, to: late)
    try graph.connect(late, to: leaving)
    try graph.connect(leaving, to: end)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    runner.run(ticks: 2)
    try graph.remove(leaving)
    let replacement = try graph.add(
      DelayNode(samples: 2 * 480 - 50, channelCount: 1, sampleRate: 48_000), named: "replacement")
    try graph.connect(late, to: replacement)
    try graph.connect(replacement, to: end)
    try runner.install(graph)
    runner.run(ticks: 4)
    // Two frames of warm-up, in which the old path is heard, then the new one, 960 samples late.
    #expect(sink.headers.map(\.samplePosition) == [-50, 430, 910, 1_390, 960, 1_440])
  }
}
