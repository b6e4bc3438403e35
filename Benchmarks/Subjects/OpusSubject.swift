import AudioGraph
import BenchmarkTwins
import Engine
import OpusCodec

/// The codec stage (encoder, RTP packet, decoder) beside libopus alone, on the same voice in step.
enum OpusSubject {
  static func run(_ bench: Bench) throws {
    for duration in OpusOptions.PacketDuration.allCases {
      try stage(bench, OpusOptions(packetDuration: duration))
    }
  }

  private static func stage(_ bench: Bench, _ options: OpusOptions) throws {
    let frames = options.packetDuration.frameCount
    let samples = Signal.voice(count: 480_000)
    let probe = ProbeSinkNode(channelCount: 1)
    let codec = try CodecNode(channelCount: 1, options: options)
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(LoopSourceNode(samples, channelCount: 1), named: "voice")
    let stage = try graph.add(codec, named: "codec")
    try graph.connect(source, to: stage)
    try graph.connect(stage, to: try graph.add(probe, named: "end"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)

    let twin = twin_codec_create(Int32(options.bitrate), Int32(options.complexity), Int32(480 * frames))!
    defer { twin_codec_destroy(twin) }
    let decoded = UnsafeMutablePointer<Float>.allocate(capacity: 480 * frames)
    defer { decoded.deallocate() }
    var position = 0
    var bytes = 0
    var packets = 0
    bench.compareTimes(
      "\(options.packetDuration.rawValue) ms packets, a frame", to: "libopus alone", turns: 400, isPerFrame: true,
      target: 1.05, allocating: { runner.tick(timeNanoseconds: 0) },
      ours: {
        let start = Bench.nanoseconds()
        for _ in 0..<(10 * frames) { runner.tick(timeNanoseconds: 0) }
        return (Bench.nanoseconds() - start) / Double(10 * frames)
      },
      twin: {
        let start = Bench.nanoseconds()
        for _ in 0..<10 {
          samples.withUnsafeBufferPointer {
            bytes += Int(twin_codec_run(twin, $0.baseAddress! + position, decoded))
          }
          position = (position + 480 * frames) % samples.count
          packets += 1
        }
        return (Bench.nanoseconds() - start) / Double(10 * frames)
      })
    guard packets > 0 else { return }
    try bench.check(codec.failureCount == 0, "packets were lost")
    // Ours is a packet ahead where the last pair or the allocation's pass ended so.
    let mean = Double(codec.payloadByteCount) / Double(codec.packetCount)
    try bench.check(abs(mean / (Double(bytes) / Double(packets)) - 1) < 0.02, "packets differ in size from libopus's")
  }
}
