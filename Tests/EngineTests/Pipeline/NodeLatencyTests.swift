import AudioGraph
import Effects
import Engine
import GraphTestSupport
import OpusCodec
import TestSupport
import Testing
import VoiceProcessing

/// The declared latency of each node, and of the plan with it, against the position of an impulse behind it.
@Suite(.timeLimit(.minutes(10))) struct NodeLatencyTests {
  private static let names = [
    "gain", "pan", "limiter", "armed limiter", "pitch shift, low delay", "pitch shift, quality", "voice only",
    "voice only, off", "channel map", "delay", "mixer",
  ]

  private func node(_ name: String, sampleRate: Int) throws -> any AudioNode {
    func codec(_ duration: OpusOptions.PacketDuration) throws -> CodecNode {
      try CodecNode(channelCount: 1, options: OpusOptions(bitrate: 256_000, packetDuration: duration))
    }
    switch name {
    case "gain": return GainNode(channelCount: 1)
    case "pan": return PanNode(inputChannelCount: 1)
    case "limiter": return LimiterNode(channelCount: 1, sampleRate: sampleRate, isArmed: false)
    case "armed limiter": return LimiterNode(channelCount: 1, sampleRate: sampleRate, isArmed: true)
    case "pitch shift, low delay": return PitchShiftNode(channelCount: 1, sampleRate: sampleRate, mode: .lowDelay)
    case "pitch shift, quality": return PitchShiftNode(channelCount: 1, sampleRate: sampleRate, mode: .quality)
    case "voice only": return NoiseSuppressorNode(channelCount: 1, sampleRate: sampleRate)
    case "voice only, off": return NoiseSuppressorNode(channelCount: 1, sampleRate: sampleRate, isOn: false)
    case "channel map": return ChannelMapNode(from: 1, to: 2)
    case "delay": return DelayNode(samples: 321, channelCount: 1, sampleRate: sampleRate)
    case "mixer": return MixerNode(channelCount: 1)
    case "codec, 10 ms": return try codec(.milliseconds10)
    default: return try codec(.milliseconds20)
    }
  }

  @Test(
    "an impulse comes out of each node exactly as late as the plan declares", .shows("G4: switching"), arguments: names,
    [8_000, 44_100, 48_000])
  func impulse(name: String, sampleRate: Int) throws {
    try expectImpulse(through: name, sampleRate: sampleRate, within: 0, above: 0.8)
  }

  @Test(
    "an impulse's peak leaves the codec with the declared delay",
    arguments: ["codec, 10 ms", "codec, 20 ms"])
  func codec(name: String) throws {
    // It blurs an impulse, but the peak stays.
    try expectImpulse(through: name, sampleRate: OpusOptions.sampleRate, within: 1, above: 0.1)
  }

  private func expectImpulse(through name: String, sampleRate: Int, within tolerance: Int, above peak: Float) throws {
    let node = try node(name, sampleRate: sampleRate)
    let at = sampleRate / 5
    var plane = [Float](repeating: 0, count: sampleRate / 2)
    plane[at] = 0.9
    let graph = try Graph(sampleRate: sampleRate)
    let kept = KeepingNode(channelCount: node.outputs[0].channelCount)
    let source = try graph.add(try PlaneSource([plane], sampleRate: sampleRate).node, named: "source")
    let tested = try graph.add(node, named: name)
    let end = try graph.add(kept, named: "end")
    try graph.connect(source, to: tested)
    try graph.connect(tested, to: end)
    let runner = GraphRunner(sampleRate: sampleRate)
    try runner.install(graph)
    for _ in 0..<50 { runner.tick(timeNanoseconds: 0) }
    let samples = kept.channels[0]
    let found = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }!
    let declared = try #require(try graph.compile().latency(of: end))
    #expect(declared == node.latency)
    #expect(abs(found - at - declared) <= tolerance)
    #expect(abs(samples[found]) > peak)
  }
}
