import AudioGraph
import Foundation
import GraphTestSupport
import Metering
import TestSupport
import Testing

@Suite("Level meter node", .timeLimit(.minutes(10)))
struct LevelMeterNodeTests {
  private func run(_ planes: [[Float]], rate: Int, ticks: Int, detectsVoice: Bool = false) throws -> LevelReader {
    let graph = try Graph(sampleRate: rate)
    let meter = LevelMeterNode(channelCount: planes.count, sampleRate: rate, detectsVoice: detectsVoice)
    try graph.connect(
      try graph.add(MemorySource(planes), named: "source"), to: try graph.add(meter, named: "meter"))
    let runner = GraphRunner(sampleRate: rate)
    try runner.install(graph)
    for tick in 0..<ticks { runner.tick(timeNanoseconds: tick * 10_000_000) }
    return meter.levels
  }

  @Test("each tick gives one level, of all channels", arguments: [8_000, 22_050, 44_100, 48_000], [1, 2])
  func ticks(rate: Int, channels: Int) throws {
    let planes = (0..<channels).map { Signals.noise(count: rate / 10, amplitude: 1.1, seed: UInt64($0 + 1)) }
    let levels = try run(planes, rate: rate, ticks: 10)
    let schedule = FrameSchedule(sampleRate: rate)
    for tick in 0..<10 {
      let level = try #require(levels.level(atTick: tick))
      let range = schedule.position(ofFrame: tick)..<schedule.position(ofFrame: tick + 1)
      let squares = planes.reduce(0) { $0 + $1[range].reduce(0) { $0 + Double($1) * Double($1) } }
      #expect(level.tick == tick && level.sampleCount == range.count * channels)
      #expect(abs(level.meanSquare - squares / Double(range.count * channels)) < 1e-6)
      #expect(level.peak == planes.map { $0[range].map(abs).max()! }.max()!)
    }
    #expect(levels.level(atTick: 10) == nil)
  }

  @Test("levels before the requested tick are skipped, later ones stay")
  func passedOver() throws {
    let levels = try run([Signals.noise(count: 4_800, amplitude: 1.1, seed: 1)], rate: 48_000, ticks: 10)
    #expect(levels.level(atTick: 4)?.tick == 4)
    #expect(levels.level(atTick: 2) == nil)
    #expect(levels.level(atTick: 5)?.tick == 5)
  }

  @Test("a full level meter keeps its oldest levels, and the path continues")
  func full() throws {
    let levels = try run(
      [Signals.noise(count: 480, amplitude: 1.1, seed: 1)], rate: 48_000, ticks: LevelMeterNode.capacity + 100)
    #expect(levels.level(atTick: 0)?.tick == 0)
    #expect(levels.level(atTick: LevelMeterNode.capacity - 1) != nil)
    #expect(levels.level(atTick: LevelMeterNode.capacity) == nil)
  }

  @Test("a silent input is a level of 0 with all its samples")
  func silence() throws {
    let levels = try run([[0]], rate: 48_000, ticks: 3, detectsVoice: true)
    for tick in 0..<3 {
      #expect(levels.level(atTick: tick) == FrameLevel(tick: tick, sampleCount: 480))
    }
  }
}
