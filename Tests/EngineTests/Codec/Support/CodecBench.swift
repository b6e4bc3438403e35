import AudioGraph
import Engine
import OpusCodec

/// Runs a codec node in a graph of its own: samples in, samples and headers out.
struct CodecBench {
  let output: [[Float]]
  let headers: [FrameHeader]

  init(_ node: CodecNode, _ channels: [[Float]]) throws {
    let frames = channels[0].count / 480
    let graph = try Graph(sampleRate: 48_000)
    let source = CodecBenchEnd(channels.map { Array($0[..<(frames * 480)]) }, isSource: true)
    let sink = CodecBenchEnd(
      channels.map { _ in [Float](repeating: 0, count: frames * 480) }, isSource: false)
    let sourceID = try graph.add(source, named: "source")
    let nodeID = try graph.add(node, named: "codec")
    let sinkID = try graph.add(sink, named: "sink")
    try graph.connect(sourceID, to: nodeID)
    try graph.connect(nodeID, to: sinkID)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    for tick in 0..<frames { runner.tick(timeNanoseconds: tick * 10_000_000) }
    output = sink.channels
    headers = sink.headers
  }
}

/// Plays from memory or records into it.
private final class CodecBenchEnd: AudioNode {
  let inputs: [InputPort]
  let outputs: [OutputPort]
  private let isSource: Bool
  private let state: RenderState<CodecBenchMemory>

  init(_ channels: [[Float]], isSource: Bool) {
    self.isSource = isSource
    inputs = isSource ? [] : [InputPort(channelCount: channels.count)]
    outputs = isSource ? [OutputPort(channelCount: channels.count)] : []
    state = RenderState(CodecBenchMemory(channels))
  }

  var renderer: Renderer { Renderer(isSource ? playCodecBench : recordCodecBench, state) }
  var channels: [[Float]] { state.pointer.pointee.channels }
  var headers: [FrameHeader] {
    Array(UnsafeBufferPointer(start: state.pointer.pointee.headers, count: state.pointer.pointee.frame))
  }
}

private struct CodecBenchMemory: ~Copyable {
  let samples: UnsafeMutablePointer<Float>
  let headers: UnsafeMutablePointer<FrameHeader>
  let channelCount: Int
  let length: Int
  var frame = 0

  init(_ channels: [[Float]]) {
    channelCount = channels.count
    length = channels[0].count
    samples = .allocate(capacity: channelCount * length)
    headers = .allocate(capacity: length / 480)
    for (index, channel) in channels.enumerated() {
      (samples + index * length).initialize(from: channel, count: length)
    }
  }

  deinit {
    samples.deallocate()
    headers.deallocate()
  }

  var channels: [[Float]] {
    (0..<channelCount).map { Array(UnsafeBufferPointer(start: samples + $0 * length, count: length)) }
  }
}

@_noLocks
private func playCodecBench(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let memory = state.assumingMemoryBound(to: CodecBenchMemory.self)
  let output = RenderContext(context).output(0)
  for channel in 0..<output.channelCount {
    let source = memory.pointee.samples + (channel &* memory.pointee.length &+ memory.pointee.frame &* 480)
    copySamples(from: source, to: output.channel(channel), count: 480)
  }
  memory.pointee.frame &+= 1
}

@_noLocks
private func recordCodecBench(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let memory = state.assumingMemoryBound(to: CodecBenchMemory.self)
  let input = RenderContext(context).input(0)
  for channel in 0..<input.channelCount {
    let target = memory.pointee.samples + (channel &* memory.pointee.length &+ memory.pointee.frame &* 480)
    copySamples(from: input.channel(channel), to: target, count: 480)
  }
  memory.pointee.headers[memory.pointee.frame] = input.header.pointee
  memory.pointee.frame &+= 1
}
