import AudioGraph
import Effects
import Engine
import FileTestSupport
import OfflineProcessing
import OpusCodec
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct JobLedgersTests {
  let files = TestFiles()

  @Test(
    "every edge of a job balances with the next one", .shows("report"),
    arguments: Shape.allCases)
  func closes(_ shape: Shape) throws {
    let result = try job(shape).prepare().run()
    #expect(result.ledger.imbalance() == 0 && result.ledger.held == 0)
    for edge in result.edges { #expect(edge.imbalance == 0, "\(edge)") }
    let edges = Dictionary(uniqueKeysWithValues: result.edges.map { ($0.name, $0.ledger) })
    func expectHandedOn(_ names: String...) throws {
      for (one, next) in zip(names, names.dropFirst()) {
        let (given, taken) = (try #require(edges[one]).output, try #require(edges[next]).input)
        #expect(given == taken, "\(one) gave \(given), \(next) took \(taken)")
      }
    }
    try expectHandedOn("user 1: read", "user 1: play", "graph", "output: cut")
    if shape != .withoutOutput {
      try expectHandedOn("output: cut", "output: write")
      #expect(edges["output: write"]?.output == result.outputSamplesPerChannel)
    }
    if shape == .sounds || shape == .codec { try expectHandedOn("music: repeat", "music: read", "music: play") }
    if shape == .sounds {
      try expectHandedOn("effect 8: repeat", "effect 8: read", "effect 8: pitch", "effect 8: play")
      #expect(edges["effect 8: play"]?.output == 2_000)
    }
    if shape == .codec { try expectHandedOn("user 1: play", "user 1: codec", "graph") }
    #expect(edges["user 1: read"]?.input == 30_011 && result.inputSamplesPerChannel == 30_011)
  }

  @Test("repetitions of a sound are counted as loops after the first pass", .shows("report"))
  func loops() throws {
    let result = try job(.sounds).prepare().run()
    let music = try #require(result.edges.first { $0.name == "music: repeat" }).ledger
    #expect(music.input == 5_000 && music.inserted == [.loop: 10_000] && music.output == 15_000)
    let play = try #require(result.edges.first { $0.name == "music: play" })
    #expect(play.ledger.output == 15_000 * 48_000 / 44_100 && play.ledger.held == 0)
    let endless = try #require(result.edges.first { $0.name == "effect 7: repeat" }).ledger
    #expect(endless.input == 1_000 && endless.inserted[.loop] == endless.output - 1_000 && endless.output > 30_000)
  }

  @Test("a report is the same in every run, also with endless sounds")
  func same() throws {
    let first = try job(.sounds).prepare().run().edges
    for _ in 0..<3 { #expect(try job(.sounds).prepare().run().edges == first) }
  }

  @Test("the ledgers of a stopped job balance with held samples", arguments: [1, 7, 20])
  func stopped(ticks: Int) throws {
    let job = try job(.codec).prepare()
    let result = try job.run(shouldStop: { job.pipeline.tickCount == ticks })
    #expect(result.isCancelled && result.ledger.imbalance() == 0)
    for edge in result.edges { #expect(edge.imbalance == 0, "\(edge)") }
    let read = try #require(result.edges.first { $0.name == "user 1: read" }).ledger
    let play = try #require(result.edges.first { $0.name == "user 1: play" }).ledger
    #expect(play.output == ticks * 480 && read.held + play.held > 30_000)
    let written = try #require(result.edges.first { $0.name == "output: write" }).ledger
    #expect(written.output == result.outputSamplesPerChannel)
  }

  enum Shape: CaseIterable {
    case plain
    case withoutOutput
    case otherRate
    case later
    case delayed
    case sounds
    case codec
  }

  private func job(_ shape: Shape) throws -> FileProcessing {
    let noise = seededNoise(count: 30_011, seed: 1, amplitude: 0.2)
    let rate = shape == .otherRate || shape == .codec ? 22_050 : 48_000
    var job = FileProcessing()
    job.input = .path(try files.write("in.wav", [noise], sampleRate: rate))
    job.overwrite = true
    if shape != .withoutOutput { job.output = .path(files.path("out.wav"), container: nil) }
    switch shape {
    case .plain, .withoutOutput: break
    case .otherRate: job.sampleRate = 16_000
    case .later:
      job.speakers = [
        .init(path: try files.write("2.wav", [seededNoise(count: 9_001, seed: 2)]), startSeconds: 0.123)
      ]
    case .delayed: job.isVoiceOnly = true
    case .sounds, .codec:
      let music = try files.write("music.wav", [seededNoise(count: 5_000, seed: 3)], sampleRate: 44_100)
      job.music = .init(path: music, volume: try Volume(40), repetition: .times(3))
      var effect = SoundEffect(path: try files.write("7.wav", [seededNoise(count: 1_000, seed: 4)]))
      effect.repetition = .forever
      let shifted = SoundEffect(path: effect.path, loopCount: 1, pitch: try PitchRatio(1.5))
      job.effects = [
        .init(soundID: 7, sound: effect, startSeconds: 0.05), .init(soundID: 8, sound: shifted, startSeconds: 0.1),
      ]
      if shape == .codec { job.codec = OpusOptions() }
    }
    return job
  }
}
