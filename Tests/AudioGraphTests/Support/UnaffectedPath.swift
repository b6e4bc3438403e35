import AudioGraph

/// A way of its own through a graph, from a source of counted samples to a sink that checks every bit of them: what no
/// edit concerns. Thread: read by the one that ticks, or once that one has been joined.
final class UnaffectedPath {
  private let counts = RenderState(BystanderCounts())

  /// Samples that came out.
  var sampleCount: Int { counts.pointer.pointee.samples }
  /// Samples that were not the next.
  var faultCount: Int { counts.pointer.pointee.faults }

  func add(to graph: Graph) throws {
    let source = try graph.add(CountingSource(), named: "unaffectedPath")
    let gain = try graph.add(LinearNode(gain: 1), named: "unaffectedPath's node")
    try graph.connect(source, to: gain)
    try graph.connect(gain, to: graph.add(CheckingSink(counts), named: "unaffectedPath's end"))
  }

  /// Sample `index`, exact in 32-bit floats and of large steps.
  static func sample(_ index: Int) -> Float { Float(index &* 40_503 & 0xFFFF) / 65_536 - 0.5 }
}

private struct BystanderCounts: ~Copyable {
  var samples = 0
  var faults = 0
}

private final class CountingSource: AudioNode {
  let inputs: [InputPort] = []
  let outputs = [OutputPort(channelCount: 1)]
  private let state = RenderState(0)

  var renderer: Renderer { Renderer(renderCount, state) }
}

private final class CheckingSink: AudioNode {
  let inputs = [InputPort(channelCount: 1)]
  let outputs: [OutputPort] = []
  private let state: RenderState<BystanderCounts>

  init(_ state: RenderState<BystanderCounts>) { self.state = state }

  var renderer: Renderer { Renderer(renderCheck, state) }
}

private func renderCount(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let output = RenderContext(context).output(0)
  let next = state.assumingMemoryBound(to: Int.self)
  for index in 0..<output.samplesPerChannel { output.channel(0)[index] = UnaffectedPath.sample(next.pointee + index) }
  next.pointee += output.samplesPerChannel
}

private func renderCheck(_ context: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer) {
  let input = RenderContext(context).input(0)
  let counts = state.assumingMemoryBound(to: BystanderCounts.self)
  for index in 0..<input.samplesPerChannel
  where input.channel(0)[index].bitPattern != UnaffectedPath.sample(counts.pointee.samples + index).bitPattern {
    counts.pointee.faults += 1
  }
  counts.pointee.samples += input.samplesPerChannel
}
