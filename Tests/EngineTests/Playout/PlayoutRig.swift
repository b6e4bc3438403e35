import AudioGraph
import Engine
import Foundation
import GraphTestSupport

/// A pipeline with a sink for a loudspeaker, ticked by hand.
final class PlayoutRig {
  /// Tones that are told apart by their frequency, in Hz.
  enum Tone: Double, CaseIterable {
    case remote = 500
    case sent = 700
    case loopback = 900
    case voice = 1_100

    /// Peak of the tone.
    var amplitude: Double {
      switch self {
      case .remote: 0.2
      case .sent: 0.1
      case .loopback: 0.05
      case .voice: 0.15
      }
    }
  }

  let pipeline: AudioPipeline
  private let sink: KeepingSink

  init(channelCount: Int = 1) throws {
    pipeline = try AudioPipeline(mode: .offline, channelCount: channelCount)
    sink = KeepingSink(channelCount: channelCount)
    try pipeline.addSink(sink, at: .playout)
  }

  /// Adds a source of each tone; the sent sound has this number of channels.
  func addAll(sentChannelCount: Int = 1) throws {
    try pipeline.addRemoteUser(1, from: Self.source(.remote))
    try pipeline.setLocalSource(Self.source(.voice), sentChannelCount: sentChannelCount)
    try pipeline.addMusic(Self.source(.sent, channelCount: sentChannelCount), to: .publishedByLocalUser)
    try pipeline.addMusic(Self.source(.loopback), to: .loopback)
    try pipeline.startStepping(isEndless: true)
  }

  func run(ticks: Int = 30) {
    for _ in 0..<ticks {
      _ = pipeline.waitUntilReady()
      pipeline.step(atNanoseconds: pipeline.tickCount * 10_000_000)
    }
  }

  /// Samples of a channel so far.
  func samples(channel: Int = 0) -> [Float] { sink.keeping.channels[channel] }

  /// Peaks of the tones in the newest 100 ms, in which each has whole periods.
  func levels(channel: Int = 0) -> [Tone: Double] {
    let newest = samples(channel: channel).suffix(4_800)
    return Dictionary(
      uniqueKeysWithValues: Tone.allCases.map { tone in
        var (cosine, sine) = (0.0, 0.0)
        for (index, sample) in newest.enumerated() {
          let phase = 2 * Double.pi * tone.rawValue * Double(index) / 48_000
          cosine += Double(sample) * cos(phase)
          sine += Double(sample) * sin(phase)
        }
        return (tone, (cosine * cosine + sine * sine).squareRoot() * 2 / Double(newest.count))
      })
  }

  /// Whether the newest levels are these factors of the tones' own; a tone without a factor is not heard.
  func hears(_ factors: [Tone: Double], channel: Int = 0) -> Bool {
    levels(channel: channel).allSatisfy { tone, level in
      abs(level - tone.amplitude * (factors[tone] ?? 0)) < 1e-5
    }
  }

  /// Ten seconds of a tone.
  static func source(_ tone: Tone, channelCount: Int = 1) throws -> PlaneSource {
    let plane = (0..<480_000).map { Float(tone.amplitude * sin(2 * .pi * tone.rawValue * Double($0) / 48_000)) }
    return try PlaneSource(Array(repeating: plane, count: channelCount))
  }
}

/// A sink that keeps all samples.
private final class KeepingSink: AudioSink {
  let keeping: KeepingNode
  var node: any AudioNode { keeping }
  var isReady: Bool { true }

  init(channelCount: Int) { keeping = KeepingNode(channelCount: channelCount) }

  func requestCapacity() {}
}
