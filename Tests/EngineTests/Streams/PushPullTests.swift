import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PushPullTests {
  @Test("pushed samples leave the sink aligned and complete", arguments: [16_000, 44_100, 48_000], [1, 2])
  func roundTrip(sampleRate: Int, channelCount: Int) throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: channelCount)
    let format = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    let source = try PushSource(format, sampleRate: 48_000, uid: 3, buffer: .milliseconds(2_000), ready: pipeline.bell)
    try pipeline.addRemoteUser(3, from: source)
    let sink = try pipeline.addSink(.pull(format, capacity: 200))
    let count = sampleRate
    let tone = (0..<count).flatMap { index in
      [Float](repeating: sine(330 * Double(index) / Double(sampleRate)) * 0.4, count: channelCount)
    }
    #expect(source.push(tone.span) == count)
    #expect(source.finish() && source.push(tone.span) == 0)
    try pipeline.runToEnd()
    var out = [Float](repeating: 9, count: tone.count)
    var span = out.mutableSpan
    let got = sink.pull(into: &span)
    // To the graph's rate and back, each time rounded down.
    #expect(got == count * 48_000 / sampleRate * sampleRate / 48_000)
    #expect(sink.isExhausted)
    let margin = sampleRate / 50 * channelCount
    let worst = (margin..<(got * channelCount - margin)).map { abs(out[$0] - tone[$0]) }.max()!
    #expect(worst < (sampleRate == 48_000 ? 1e-6 : 1e-3))
  }

  @Test("a full source accepts less, an empty one is silent and counts it")
  func limits() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    let source = try PushSource(format, sampleRate: 48_000, buffer: .milliseconds(20), ready: pipeline.bell)
    #expect(source.fullness == 0)
    let samples = [Int16](repeating: 1_000, count: 2_000)
    #expect(source.push(samples.span) == 960)
    #expect(source.fullness == 1 && source.push(samples.span) == 0)
    try pipeline.addRemoteUser(1, from: source)
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: .beforeMixing))
    try pipeline.start(clock: VirtualClock())
    #expect(eventually { pipeline.tickCount >= 5 })
    pipeline.stop()
    let stream = seen.stream(FrameOrigin(position: .beforeMixing, uid: 1))
    let level: Float = 1_000 / 32_768
    #expect(stream[..<960].allSatisfy { $0 == level })
    #expect(stream[1_200...].allSatisfy { $0 == 0 })
    // A fade over 5 ms lies between.
    let fade: [Float] = (0..<240).map { Float(240 - $0) / 240 * level }
    #expect(Array(stream[960..<1_200]) == fade)
    #expect(source.underrunCount == stream.count - 960)
  }

  @Test("a capacity out of range is an error, whatever it is", arguments: [Int.min, -1, 0, 1 << 40, .max])
  func capacities(capacity: Int) throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    #expect(throws: EngineError.self) {
      try PushSource(format, sampleRate: 48_000, buffer: .milliseconds(capacity), ready: pipeline.bell)
    }
    #expect(throws: EngineError.self) { try pipeline.addSink(.pull(format, capacity: capacity)) }
    #expect(throws: EngineError.self) { try pipeline.frames(at: .mixed, capacity: capacity) }
    #expect(throws: EngineError.self) {
      try pipeline.observe(.readOnly(at: .mixed, isAsynchronous: true, capacity: capacity) { _, _ in })
    }
  }

  @Test(
    "a sink is exhausted once all samples of the source are pulled",
    arguments: [48_000, 44_100, 8_000])
  func end(sampleRate: Int) throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let count = 4_900
    // Constant, so that what flushes the converter would be seen as a fall.
    try pipeline.addRemoteUser(1, from: try PlaneSource([[Float](repeating: 0.5, count: count)]))
    let sink = try pipeline.addSink(.pull(AudioFormat(sampleRate: sampleRate, channelCount: 1), capacity: 100))
    try pipeline.runToEnd()
    var pulled: [Float] = []
    while !sink.isExhausted, pulled.count <= count {
      var block = [Float](repeating: 9, count: 333)
      var span = block.mutableSpan
      let given = sink.pull(into: &span)
      pulled += block.prefix(given)
    }
    #expect(pulled.count == count * sampleRate / 48_000)
    let inner = pulled.dropFirst(sampleRate / 100).dropLast(sampleRate == 48_000 ? 0 : sampleRate / 400)
    #expect(inner.allSatisfy { abs($0 - 0.5) < 0.01 })
    var rest = [Float](repeating: 9, count: 10)
    var span = rest.mutableSpan
    #expect(sink.pull(into: &span) == 0)
  }

  @Test("frames that nobody pulls are dropped oldest first and counted")
  func slowPuller() throws {
    let pipeline = try AudioPipeline(channelCount: 1)
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 96_000, seed: 1)]))
    let sink = try pipeline.addSink(.pull(AudioFormat(sampleRate: 48_000, channelCount: 1), capacity: 5))
    try pipeline.start(clock: VirtualClock())
    #expect(eventually { pipeline.tickCount >= 50 })
    pipeline.stop()
    #expect(sink.droppedFrameCount == pipeline.tickCount - 5)
    var out = [Int16](repeating: 0, count: 48_000)
    var span = out.mutableSpan
    #expect(sink.pull(into: &span) == 5 * 480)
  }

  @Test("too small a source is refused")
  func refused() throws {
    #expect(throws: EngineError.self) {
      _ = try PushSource(
        AudioFormat(sampleRate: 48_000, channelCount: 1), sampleRate: 48_000, buffer: .milliseconds(5),
        ready: Doorbell()
      )
    }
  }
}
